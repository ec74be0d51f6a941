package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Client;
import dev.weir.policy.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ServerMetricsTest {
  private static final String POLICY =
      """
      default_tier = "free"

      [[tier]]
      name = "free"
      limit = "3/m"
      endpoints = { "/odd\\"é" = 1 }

      [[endpoint]]
      name = "chat"
      paths = ["/chat"]
      limit = "1/m"
      scope = "user"

      [[rule]]
      name = "closed"
      match = { path = "/old/**" }
      action = "block"

      [[rule]]
      name = "stricter"
      match = { path = "/chat" }
      limits = ["1/h"]
      mode = "shadow"
      """;

  private static final Pattern NAMES = Pattern.compile("`((weir|jvm|process)_\\w+)`");
  private static final double START_SECONDS = (double) TestGate.START.getEpochSecond();
  private static final Client ALICE = TestGate.client("alice");

  private final TestGate gate = new TestGate(POLICY);

  @Test
  void allMetricsAreThereBeforeTheFirstRequest() {
    assertThat(gate.scrape().names())
        .contains(
            "weir_rate_limit_requests_total",
            "weir_rate_limit_throttled_total",
            "weir_rate_limit_shadow_refused_total",
            "weir_rate_limit_check_duration_seconds",
            "weir_rate_limit_backend_errors_total",
            "weir_rate_limit_degraded",
            "weir_rate_limit_degraded_requests_total",
            "weir_rate_limit_active_keys",
            "weir_rate_limit_overflowed_total",
            "weir_rate_limit_cache_hits_total",
            "weir_rate_limit_cache_misses_total",
            "weir_missing_client_total",
            "weir_policy_reloads_total",
            "weir_policy_last_reload_successful",
            "weir_policy_loaded_timestamp_seconds",
            "weir_audit_queue_size",
            "weir_audit_dropped_total",
            "weir_configuration_version",
            "weir_configuration_age_seconds",
            "weir_build_info",
            "weir_metrics_left_out",
            "process_start_time_seconds",
            "process_uptime_seconds",
            "process_cpu_seconds_total",
            "jvm_memory_used_bytes",
            "jvm_memory_max_bytes",
            "jvm_threads_current",
            "jvm_gc_collection_seconds");
  }

  @Test
  void theReferenceHasEveryMetricAndNoOther() throws IOException {
    Set<String> documented = new TreeSet<>();
    for (String line : Files.readAllLines(Path.of("..", "docs", "reference", "metrics.md"))) {
      String[] columns = line.split("\\|", -1);
      if (columns.length > 2) {
        NAMES.matcher(columns[1]).results().forEach(name -> documented.add(name.group(1)));
      }
    }
    assertThat(documented).isEqualTo(new TreeSet<>(gate.scrape().names()));
  }

  @Test
  void countsRequestsByDecisionEndpointAndTier() {
    gate.check("/chat", ALICE, 3);
    gate.check("/", ALICE, 5);
    gate.check("/old/a", ALICE, 2);
    Scrape scrape = gate.scrape();
    assertThat(requests(scrape, "allowed", "chat", "free")).isEqualTo(1);
    assertThat(requests(scrape, "throttled", "chat", "free")).isEqualTo(2);
    assertThat(requests(scrape, "allowed", "*", "free")).isEqualTo(3);
    assertThat(requests(scrape, "throttled", "*", "free")).isEqualTo(2);
    assertThat(requests(scrape, "blocked", "*", "free")).isEqualTo(2);
    assertThat(throttled(scrape, "chat", "free", "endpoint:chat")).isEqualTo(2);
    assertThat(throttled(scrape, "*", "free", "tier:free")).isEqualTo(2);
    assertThat(scrape.sum("weir_rate_limit_requests_total")).isEqualTo(10);
    assertThat(scrape.sum("weir_rate_limit_throttled_total")).isEqualTo(4);
  }

  private static double requests(Scrape scrape, String decision, String endpoint, String tier) {
    return scrape.value(
        "weir_rate_limit_requests_total{decision=\"%s\",endpoint=\"%s\",tier=\"%s\"}"
            .formatted(decision, endpoint, tier));
  }

  private static double throttled(Scrape scrape, String endpoint, String tier, String rule) {
    return scrape.value(
        "weir_rate_limit_throttled_total{endpoint=\"%s\",tier=\"%s\",rule=\"%s\"}"
            .formatted(endpoint, tier, rule));
  }

  @Test
  @DisplayName("T70: a tier that the policy does not have never becomes a label")
  void tiersOfTokensAreNoLabels() {
    String[] forged = {
      "gold", "a\r\nSet-Cookie: x=1", "a\"} 1\nweir_rate_limit_degraded 1", "\u001b[31mred", "a\\"
    };
    for (String tier : forged) {
      gate.check("/", ALICE.withTier(tier));
    }
    gate.check("/", ALICE.withTier(new String("free")));
    Scrape scrape = gate.scrape();
    assertThat(requests(scrape, "allowed", "*", "other")).isEqualTo(forged.length);
    assertThat(requests(scrape, "allowed", "*", "free")).isEqualTo(1);
    assertThat(scrape.toString())
        .doesNotContain("gold", "Set-Cookie", "\r", "\u001b", "[31m", "alice", "203.0.113.7");
    assertThat(scrape.value("weir_rate_limit_degraded")).isZero();
  }

  @Test
  void aClientWithoutTierHasAnEmptyLabel() {
    gate.reload("");
    gate.check("/", ALICE);
    assertThat(requests(gate.scrape(), "allowed", "*", "")).isEqualTo(1);
  }

  @Test
  void oddCharactersOfARuleAreEscaped() {
    gate.check("/odd\"é", ALICE, 2);
    assertThat(throttled(gate.scrape(), "*", "free", "tier:free:/odd\\\"é")).isEqualTo(1);
  }

  @Test
  void countsWhatRulesInShadowModeWouldRefuse() {
    gate.check("/chat", ALICE, 3);
    assertThat(gate.scrape().value("weir_rate_limit_shadow_refused_total{rule=\"stricter\"}"))
        .isEqualTo(2);
  }

  @Test
  void countsClientsOfWhichNothingIsKnown() {
    gate.check("/", Client.unknown(), 2);
    gate.check("/", ALICE);
    assertThat(gate.scrape().value("weir_missing_client_total")).isEqualTo(2);
  }

  @Test
  void isDegradedWhileCountersAreAwayAndForAMinuteAfter() {
    gate.check("/", ALICE);
    assertThat(gate.scrape().value("weir_rate_limit_degraded")).isZero();
    gate.areCountersAway = true;
    Verdict local = gate.check("/", ALICE);
    assertThat(local.isDegraded()).isTrue();
    gate.areCountersAway = false;
    gate.time.advance(Duration.ofSeconds(59));
    gate.check("/", ALICE);
    assertThat(gate.scrape().value("weir_rate_limit_degraded")).isEqualTo(1);
    gate.time.advance(Duration.ofSeconds(1));
    Scrape scrape = gate.scrape();
    assertThat(scrape.value("weir_rate_limit_degraded")).isZero();
    assertThat(scrape.value("weir_rate_limit_degraded_requests_total")).isEqualTo(1);
    assertThat(scrape.value("weir_rate_limit_backend_errors_total")).isEqualTo(1);
    assertThat(scrape.sum("weir_rate_limit_requests_total")).isEqualTo(3);
  }

  @Test
  void isDegradedWithoutRequestsIfTheStoreSaysSo() {
    boolean[] isAway = {true};
    gate.metrics.degradedWhile(() -> isAway[0]);
    assertThat(gate.scrape().value("weir_rate_limit_degraded")).isEqualTo(1);
    isAway[0] = false;
    assertThat(gate.scrape().value("weir_rate_limit_degraded")).isZero();
  }

  @Test
  void countsReloadsAndKnowsOfTheLast() {
    Scrape first = gate.scrape();
    assertThat(first.value("weir_policy_reloads_total{result=\"success\"}")).isZero();
    assertThat(first.value("weir_policy_last_reload_successful")).isEqualTo(1);
    assertThat(first.value("weir_policy_loaded_timestamp_seconds")).isEqualTo(START_SECONDS);
    gate.time.advance(Duration.ofSeconds(7));
    gate.metrics.reloadFailed();
    Scrape failed = gate.scrape();
    assertThat(failed.value("weir_policy_reloads_total{result=\"failure\"}")).isEqualTo(1);
    assertThat(failed.value("weir_policy_last_reload_successful")).isZero();
    assertThat(failed.value("weir_policy_loaded_timestamp_seconds")).isEqualTo(START_SECONDS);
    gate.reload("[[tier]]\nname = \"gold\"\nlimit = 5\n");
    gate.check("/", ALICE.withTier("gold"));
    gate.check("/", ALICE.withTier("free"));
    Scrape reloaded = gate.scrape();
    assertThat(reloaded.value("weir_policy_reloads_total{result=\"success\"}")).isEqualTo(1);
    assertThat(reloaded.value("weir_policy_last_reload_successful")).isEqualTo(1);
    assertThat(reloaded.value("weir_policy_loaded_timestamp_seconds")).isEqualTo(START_SECONDS + 7);
    assertThat(requests(reloaded, "allowed", "*", "gold")).isEqualTo(1);
    assertThat(requests(reloaded, "allowed", "*", "other")).isEqualTo(1);
  }

  @Test
  void recordsTheLatencyOfDecisions() {
    Verdict verdict = new TestGate(POLICY).check("/", ALICE);
    gate.metrics.decided(verdict, 20_000);
    gate.metrics.decided(verdict, 2_000_000);
    Scrape scrape = gate.scrape();
    String name = "weir_rate_limit_check_duration_seconds";
    assertThat(scrape.value(name + "_count")).isEqualTo(2);
    assertThat(scrape.value(name + "_sum")).isEqualTo(0.00202);
    assertThat(scrape.value(name + "_bucket{le=\"0.0001\"}")).isEqualTo(1);
  }

  @Test
  void tellsVersionAndProcess() {
    Scrape scrape = gate.scrape();
    assertThat(scrape.value("weir_build_info{version=\"1.2.3\"}")).isEqualTo(1);
    assertThat(scrape.value("process_uptime_seconds")).isPositive();
    assertThat(scrape.value("process_start_time_seconds"))
        .isBetween(1.7e9, Instant.now().toEpochMilli() / 1_000.0);
    assertThat(scrape.value("jvm_memory_used_bytes{area=\"heap\"}"))
        .isPositive()
        .isLessThanOrEqualTo(scrape.value("jvm_memory_max_bytes{area=\"heap\"}"));
    assertThat(scrape.value("jvm_threads_current")).isPositive();
    assertThat(scrape.series()).anyMatch(name -> name.startsWith("jvm_gc_collection_seconds_sum{"));
  }
}
