package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CheckDurationsTest {
  private final CheckDurations durations = new CheckDurations();

  private Scrape read() {
    MetricsPage page = new MetricsPage();
    page.add(durations.read("took", "Help."));
    return new Scrape(page.toString());
  }

  private static double atMost(Scrape scrape, String seconds) {
    return scrape.value("took_bucket{le=\"" + seconds + "\"}");
  }

  @Test
  void startsEmpty() {
    assertThat(read().value("took_count")).isZero();
    assertThat(read().value("took_sum")).isZero();
    assertThat(atMost(read(), "+Inf")).isZero();
  }

  @Test
  void aDurationIsInEveryBucketThatHasRoomForIt() {
    durations.add(10_000);
    durations.add(10_001);
    durations.add(700_000_000);
    durations.add(5_000_000_000L);
    Scrape scrape = read();
    assertThat(atMost(scrape, "0.00001")).isEqualTo(1);
    assertThat(atMost(scrape, "0.000025")).isEqualTo(2);
    assertThat(atMost(scrape, "0.5")).isEqualTo(2);
    assertThat(atMost(scrape, "1")).isEqualTo(3);
    assertThat(atMost(scrape, "+Inf")).isEqualTo(4);
    assertThat(scrape.value("took_count")).isEqualTo(4);
    assertThat(scrape.value("took_sum")).isEqualTo(5.700020001);
  }

  @Test
  void aClockThatWentBackCountsAsNoTime() {
    durations.add(-5);
    assertThat(atMost(read(), "0.00001")).isEqualTo(1);
    assertThat(read().value("took_sum")).isZero();
  }

  @Test
  void boundsGoFromTenMicrosecondsToOneSecond() {
    List<String> buckets =
        read().series().stream().filter(name -> name.startsWith("took_bucket")).toList();
    assertThat(buckets)
        .hasSize(17)
        .startsWith("took_bucket{le=\"0.00001\"}", "took_bucket{le=\"0.000025\"}")
        .endsWith("took_bucket{le=\"0.5\"}", "took_bucket{le=\"1\"}", "took_bucket{le=\"+Inf\"}");
  }

  @Test
  void quantilesLieEvenlyInTheirBuckets() {
    assertThat(CheckDurations.quantileMicros(durations.counts(), 500)).isZero();
    for (int i = 0; i < 10; i++) {
      durations.add(60_000);
    }
    assertThat(CheckDurations.quantileMicros(durations.counts(), 100)).isEqualTo(55);
    assertThat(CheckDurations.quantileMicros(durations.counts(), 500)).isEqualTo(75);
    assertThat(CheckDurations.quantileMicros(durations.counts(), 990)).isEqualTo(100);
    for (int i = 0; i < 90; i++) {
      durations.add(2_000_000_000);
    }
    assertThat(CheckDurations.quantileMicros(durations.counts(), 500)).isEqualTo(1_000_000);
  }
}
