package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PenaltyTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  @Test
  void multipliersRiseWithViolationsFromTheThresholdOn() {
    Penalty penalty = new Penalty(MINUTE, 3, List.of(1, 5, 20));

    assertThat(penalty.multiplier(3)).isEqualTo(1);
    assertThat(penalty.multiplier(4)).isEqualTo(5);
    assertThat(penalty.multiplier(5)).isEqualTo(20);
    assertThat(penalty.multiplier(6)).isEqualTo(20);
    assertThat(penalty.multiplier(1_000)).isEqualTo(20);
  }

  @Test
  void keepsItsOwnMultipliers() {
    List<Integer> given = new ArrayList<>(List.of(2));
    Penalty penalty = new Penalty(MINUTE, 1, given);
    given.add(7);

    assertThat(penalty.multipliers()).containsExactly(2);
  }

  @Test
  void acceptsTheBounds() {
    assertThat(new Penalty(Duration.ofMillis(1), 1, List.of(1)).violationThreshold()).isEqualTo(1);
    assertThat(new Penalty(Duration.ofDays(366), 1_000, List.of(100)).violationThreshold())
        .isEqualTo(1_000);
  }

  @Test
  void refusesDetectionWindowsOutOfBounds() {
    assertThatThrownBy(() -> new Penalty(Duration.ofNanos(999_999), 1, List.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("detectionWindow must be between 1ms and 366d, got PT0.000999999S");
    assertThatThrownBy(() -> new Penalty(Duration.ofDays(366).plusNanos(1), 1, List.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("detectionWindow must be between 1ms and 366d, got PT8784H0.000000001S");
  }

  @Test
  void refusesThresholdsOutOfBounds() {
    assertThatThrownBy(() -> new Penalty(MINUTE, 0, List.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("violationThreshold must be between 1 and 1000, got 0");
    assertThatThrownBy(() -> new Penalty(MINUTE, 1_001, List.of(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("violationThreshold must be between 1 and 1000, got 1001");
  }

  @Test
  void refusesMultipliersOutOfBounds() {
    assertThatThrownBy(() -> new Penalty(MINUTE, 1, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("multipliers must have at least one element, got []");
    assertThatThrownBy(() -> new Penalty(MINUTE, 1, List.of(1, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("multipliers must be between 1 and 100, got [1, 0]");
    assertThatThrownBy(() -> new Penalty(MINUTE, 1, List.of(101)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("multipliers must be between 1 and 100, got [101]");
  }

  @ParameterizedTest
  @CsvSource({"60/m burst 10, 10/10s, 10000000", "30210/m burst 5035, 5035/10s, 10000000"})
  void theWindowIsTheLimitsOwnAlsoBesideOneOfTheSameRate(
      String other, String limit, long windowMicros) {
    MemoryCounterStore store =
        new MemoryCounterStore(TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z")), 10);
    Penalty penalty = new Penalty(Duration.ofHours(1), 1, List.of(1));
    store.applyNow(new Operation.Acquire(List.of(new Counter("c", "k1", Limit.parse(other))), 1));
    Limit own = Limit.parse(limit);
    Operation all =
        new Operation.Acquire(
            List.of(new Counter("c", "k0", own)),
            List.of(new PenaltyCounter("p", "k0", penalty)),
            own.capacity());
    store.applyNow(all);

    assertThat(store.applyNow(all).retryAfterMicros()).isEqualTo(windowMicros);
  }
}
