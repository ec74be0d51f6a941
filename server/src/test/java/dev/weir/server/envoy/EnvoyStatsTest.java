package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvoyStatsTest {

  @ParameterizedTest
  @CsvSource({
    // hits, count after, limit: over, near, within
    "1, 1, 10, 0, 0, 1",
    "1, 8, 10, 0, 0, 1",
    "1, 9, 10, 0, 1, 1",
    "1, 10, 10, 0, 1, 1",
    "1, 11, 10, 1, 0, 0",
    "5, 7, 10, 0, 0, 5",
    "5, 9, 10, 0, 1, 5",
    "5, 10, 10, 0, 2, 5",
    "2, 10, 10, 0, 2, 2",
    "5, 13, 10, 3, 2, 0",
    "5, 12, 10, 2, 2, 0",
    "5, 14, 10, 4, 1, 0",
    "5, 15, 10, 5, 0, 0",
    "5, 40, 10, 5, 0, 0",
    "10, 15, 10, 5, 2, 0",
    "1, 1, 1, 0, 1, 1",
    "1, 2, 1, 1, 0, 0",
    "1, 13, 16, 0, 1, 1",
    "1, 12, 16, 0, 0, 1",
    "0, 12, 10, 0, 0, 0",
    "0, 5, 10, 0, 0, 0",
    "4294967295, 4294967295, 4294967295, 0, 858993459, 4294967295",
  })
  void eachHitIsCountedWhereItFalls(
      long hits, long after, long limit, long over, long near, long within) {
    RuleStats stats = new RuleStats("edge.user");
    stats.counted(hits, after, limit, false);

    assertThat(stats.counts())
        .isEqualTo(new EnvoyStats.RuleCounts("edge.user", hits, over, near, within, 0, 0));
  }

  @Test
  void shadowModeCountsWhatIsOver() {
    RuleStats stats = new RuleStats("edge.user");
    stats.counted(5, 13, 10, true);
    stats.counted(5, 10, 10, true);
    stats.refused(7, true);

    assertThat(stats.counts())
        .isEqualTo(new EnvoyStats.RuleCounts("edge.user", 17, 10, 4, 5, 10, 0));
  }

  @Test
  void hugeHitsDoNotMakeSumsOverflow() {
    RuleStats stats = new RuleStats("edge.user");
    for (int i = 0; i < 1_000; i++) {
      stats.refused(RequestBounds.MAX_HITS, true);
      stats.givenBack(RequestBounds.MAX_HITS);
    }

    long sum = 1_000 * RequestBounds.MAX_HITS;
    assertThat(stats.counts())
        .isEqualTo(new EnvoyStats.RuleCounts("edge.user", sum, sum, 0, 0, sum, sum));
  }

  @Test
  void valuesBecomeKeysOnlySoOften() {
    EnvoyStats stats = new EnvoyStats();
    RuleStats rule = stats.ofRule("edge.tenant");
    for (int i = 0; i < 5_000; i++) {
      stats.ofValues("edge.tenant_" + i, rule).counted(1, 1, 10, false);
    }

    assertThat(stats.snapshot().rules()).hasSize(1_001);
    assertThat(rule.counts().totalHits()).isEqualTo(4_000);
    assertThat(stats.ofValues("edge.tenant_7", rule).key()).isEqualTo("edge.tenant_7");
    assertThat(stats.ofValues("edge.tenant_4999", rule)).isSameAs(rule);
    assertThat(stats.ofValues("edge.tenant", rule)).isSameAs(rule);
  }

  @Test
  void aRuleThatHasTheKeyOfAValueHasItsStatistics() {
    EnvoyStats stats = new EnvoyStats();
    RuleStats value = stats.ofValues("edge.tenant_acme", stats.ofRule("edge.tenant"));

    assertThat(stats.ofRule("edge.tenant_acme")).isSameAs(value);
    assertThat(stats.snapshot().rules())
        .extracting(EnvoyStats.RuleCounts::key)
        .containsExactly("edge.tenant", "edge.tenant_acme");
  }
}
