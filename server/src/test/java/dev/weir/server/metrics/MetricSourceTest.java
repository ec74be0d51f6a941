package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Figures that other parts keep. */
class MetricSourceTest {
  private static final Logger LOGGER = Logger.getLogger(ServerMetrics.class.getName());

  private final TestGate gate = new TestGate("");
  private final Log log = new Log();

  private static final class Log extends Handler {
    final List<LogRecord> records = new ArrayList<>();

    @Override
    public void publish(LogRecord entry) {
      records.add(entry);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @BeforeEach
  void listen() {
    LOGGER.addHandler(log);
    LOGGER.setUseParentHandlers(false);
  }

  @AfterEach
  void listenNoMore() {
    LOGGER.removeHandler(log);
    LOGGER.setUseParentHandlers(true);
  }

  @Test
  void readsWhatOtherPartsCount() {
    assertThat(gate.scrape().value("weir_rate_limit_active_keys")).isZero();
    gate.metrics.read(Reading.ACTIVE_KEYS, () -> gate.store.statistics().liveKeys());
    gate.metrics.read(Reading.CACHE_HITS, () -> 11);
    gate.metrics.read(Reading.CACHE_MISSES, () -> 12);
    gate.metrics.read(Reading.AUDIT_QUEUE, () -> 13);
    gate.metrics.read(Reading.AUDIT_DROPPED, () -> 14);
    gate.metrics.read(Reading.OVERFLOWED, () -> 15);
    gate.metrics.read(Reading.CONFIGURATION_VERSION, () -> 16);
    gate.metrics.read(Reading.CONFIGURATION_AGE, () -> 17);
    gate.check("/", TestGate.client("alice"));
    gate.check("/", TestGate.client("bob"));
    Scrape scrape = gate.scrape();
    assertThat(scrape.value("weir_rate_limit_active_keys")).isEqualTo(2);
    assertThat(scrape.value("weir_rate_limit_cache_hits_total")).isEqualTo(11);
    assertThat(scrape.value("weir_rate_limit_cache_misses_total")).isEqualTo(12);
    assertThat(scrape.value("weir_audit_queue_size")).isEqualTo(13);
    assertThat(scrape.value("weir_audit_dropped_total")).isEqualTo(14);
    assertThat(scrape.value("weir_rate_limit_overflowed_total")).isEqualTo(15);
    assertThat(scrape.value("weir_configuration_version")).isEqualTo(16);
    assertThat(scrape.value("weir_configuration_age_seconds")).isEqualTo(17);
  }

  @Test
  void addsMetricsOfOtherParts() {
    gate.metrics.add(
        () ->
            List.of(
                new Metric(
                    "weir_envoy_hits_total",
                    "Hits.",
                    Metric.Type.COUNTER,
                    List.of(Metric.Sample.of(5, Labels.of("rule", "a.b_c"))))));
    assertThat(gate.scrape().value("weir_envoy_hits_total{rule=\"a.b_c\"}")).isEqualTo(5);
  }

  /** A part that is not there any more. */
  private static final class Gone implements MetricSource {
    @Override
    public List<Metric> read() {
      throw new IllegalStateException("closed");
    }

    @Override
    public String toString() {
      return "gone";
    }
  }

  @Test
  void aPartThatFailsTakesNoOtherWithItAndIsLoggedOnce() {
    gate.metrics.read(Reading.ACTIVE_KEYS, () -> new Gone().read().size());
    gate.metrics.add(new Gone());
    gate.metrics.add(() -> List.of(Metric.gauge("size", "Help.", 7)));
    Scrape scrape = gate.scrape();
    assertThat(scrape.names()).doesNotContain("weir_rate_limit_active_keys");
    assertThat(scrape.value("size")).isEqualTo(7);
    assertThat(gate.scrape().value("size")).isEqualTo(7);
    assertThat(log.records)
        .extracting(LogRecord::getMessage)
        .containsExactly(
            "metrics of ACTIVE_KEYS cannot be read and are left out; this is said once",
            "metrics of gone cannot be read and are left out; this is said once");
    assertThat(log.records.get(1).getThrown()).hasMessage("closed");
  }
}
