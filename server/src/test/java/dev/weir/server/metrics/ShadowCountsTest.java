package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Verdict.Shadow;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShadowCountsTest {
  private final ShadowCounts counts = new ShadowCounts();

  @Test
  void countsThoseThatWouldRefuse() {
    counts.count(List.of(new Shadow("b", true), new Shadow("c", false), new Shadow("a", true)));
    counts.count(List.of(new Shadow("b", true)));
    assertThat(counts.read().samples())
        .containsExactly(
            Metric.Sample.of(1, Labels.of("rule", "a")),
            Metric.Sample.of(2, Labels.of("rule", "b")));
  }

  @Test
  void rulesBeyondTheBoundAreCountedAsOther() {
    for (int i = 0; i < 2 * ShadowCounts.MOST_RULES; i++) {
      counts.count(List.of(new Shadow("rule-" + i, true)));
    }
    assertThat(counts.read().samples())
        .hasSize(ShadowCounts.MOST_RULES + 1)
        .contains(Metric.Sample.of(ShadowCounts.MOST_RULES, Labels.of("rule", "other")));
  }
}
