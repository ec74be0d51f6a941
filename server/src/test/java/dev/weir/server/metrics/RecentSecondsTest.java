package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.JsonText;
import dev.weir.policy.Outcome;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecentSecondsTest {
  private static final long SECOND = 1_000_000;
  private static final long[] NO_CHECKS = new CheckDurations().counts();

  private final RecentSeconds seconds = new RecentSeconds();

  private void sample(long atMicros, long allowed, long throttled) {
    seconds.sample(
        atMicros,
        Map.of(Outcome.ALLOWED, allowed, Outcome.THROTTLED, throttled),
        NO_CHECKS,
        0,
        false);
  }

  private String read(long nowMicros, int count) {
    JsonText text = new JsonText();
    seconds.put(text, nowMicros, count);
    return text.toString();
  }

  @Test
  void whatHappenedBetweenTwoSamplesIsOfTheSecondBetween() {
    sample(100 * SECOND, 5, 0);
    sample(101 * SECOND + 3_000, 7, 1);
    sample(102 * SECOND - 3_000, 7, 4);

    assertThat(read(102 * SECOND, 4))
        .isEqualTo(
            "{\"from\": 98, \"allowed\": [0, 5, 2, 0], \"throttled\": [0, 0, 1, 3],"
                + " \"blocked\": [0, 0, 0, 0], \"p50_micros\": [0, 0, 0, 0],"
                + " \"p99_micros\": [0, 0, 0, 0], \"degraded\": [0, 0, 0, 0]}");
  }

  @Test
  void aSampleThatIsLateLosesNothing() {
    sample(100 * SECOND, 0, 0);
    sample(104 * SECOND + 1, 10, 0);

    assertThat(read(104 * SECOND + 2, 5)).contains("\"allowed\": [0, 0, 0, 0, 10]");
  }

  @Test
  void aSecondThatIsNotOverIsNotTold() {
    sample(100 * SECOND + 600_000, 3, 0);

    assertThat(read(100 * SECOND + 700_000, 1)).contains("\"from\": 99", "\"allowed\": [0]");
    assertThat(read(101 * SECOND, 1)).contains("\"from\": 100", "\"allowed\": [3]");
  }

  @Test
  void whatIsLongAgoIsForgotten() {
    sample(100 * SECOND, 9, 0);
    assertThat(read((99 + RecentSeconds.MOST) * SECOND, RecentSeconds.MOST))
        .contains("\"from\": 99, \"allowed\": [9, 0");
    sample((100 + RecentSeconds.MOST) * SECOND, 10, 0);

    assertThat(read((100 + RecentSeconds.MOST) * SECOND, RecentSeconds.MOST))
        .contains("\"from\": 100, \"allowed\": [0,")
        .contains(", 1], \"throttled\"");
  }

  @Test
  void aSecondIsDegradedIfAnyRequestWas() {
    seconds.sample(100 * SECOND, Map.of(), NO_CHECKS, 0, false);
    seconds.sample(101 * SECOND, Map.of(), NO_CHECKS, 2, false);
    seconds.sample(102 * SECOND, Map.of(), NO_CHECKS, 2, false);
    seconds.sample(103 * SECOND, Map.of(), NO_CHECKS, 2, true);

    assertThat(read(103 * SECOND, 4)).contains("\"degraded\": [0, 1, 0, 1]");
  }

  @Test
  void durationsAreThoseOfTheSecond() {
    CheckDurations durations = new CheckDurations();
    durations.add(90_000);
    seconds.sample(100 * SECOND, Map.of(), durations.counts(), 0, false);
    for (int i = 0; i < 100; i++) {
      durations.add(i < 98 ? 20_000 : 900_000);
    }
    seconds.sample(101 * SECOND, Map.of(), durations.counts(), 0, false);

    assertThat(read(101 * SECOND, 2))
        .contains("\"p50_micros\": [100, 17]", "\"p99_micros\": [100, 750]");
  }
}
