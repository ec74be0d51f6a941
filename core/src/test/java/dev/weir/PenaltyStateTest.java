package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PenaltyStateTest {
  private static final long NOW = Micros.of(Instant.parse("2026-03-01T10:00:07Z"));
  private static final long SECOND = 1_000_000;

  /** Violations count for ten seconds; three start a penalty. */
  private final PenaltyState state = state(Duration.ofSeconds(10), 3, 2, 5);

  private final Cells cells = Cells.wide(3, 4, true);
  private final int at = cells.state(cells.stride);

  private static PenaltyState state(Duration window, int threshold, Integer... multipliers) {
    return new PenaltyState(new Penalty(window, threshold, List.of(multipliers)));
  }

  private void violatedAt(long... instants) {
    for (long instant : instants) {
      state.violated(cells, at, instant, SECOND);
    }
  }

  @Test
  void nothingRunsAtFirst() {
    assertThat(state.words()).isEqualTo(4);
    assertThat(state.keepsLog()).isTrue();
    assertThat(state.left(cells, at, NOW)).isZero();
    assertThat(state.isFromTheFuture(cells, at, NOW)).isFalse();
    assertThat(state.forgettableAt(cells, at, NOW)).isZero();
  }

  @Test
  void runsFromTheThresholdOn() {
    violatedAt(NOW, NOW + 1);
    assertThat(state.left(cells, at, NOW + 1)).isZero();
    violatedAt(NOW + 2);

    assertThat(state.left(cells, at, NOW + 2)).isEqualTo(2 * SECOND);
    assertThat(state.left(cells, at, NOW + 3)).isEqualTo(2 * SECOND - 1);
    assertThat(state.left(cells, at, NOW + 1 + 2 * SECOND)).isEqualTo(1);
    assertThat(state.left(cells, at, NOW + 2 + 2 * SECOND)).isZero();
    assertThat(state.left(cells, at, NOW + 99 * SECOND)).isZero();
  }

  @Test
  void growsWithEachViolation() {
    violatedAt(NOW, NOW + 1, NOW + 2, NOW + 3 * SECOND);
    assertThat(state.left(cells, at, NOW + 3 * SECOND)).isEqualTo(5 * SECOND);
    violatedAt(NOW + 9 * SECOND);
    assertThat(state.left(cells, at, NOW + 9 * SECOND)).isEqualTo(5 * SECOND);
  }

  @Test
  void takesTheWindowOfTheLimitThatRefused() {
    violatedAt(NOW, NOW);
    state.violated(cells, at, NOW, 60 * SECOND);

    assertThat(state.left(cells, at, NOW)).isEqualTo(120 * SECOND);
  }

  @Test
  void violationsCountForTheDetectionWindow() {
    violatedAt(NOW, NOW, NOW + 10 * SECOND);
    assertThat(state.left(cells, at, NOW + 10 * SECOND)).isZero();
    assertThat(Log.size(cells, at)).isEqualTo(1);
    violatedAt(NOW + 11 * SECOND, NOW + 20 * SECOND - 1);
    assertThat(state.left(cells, at, NOW + 20 * SECOND - 1)).isEqualTo(2 * SECOND);
  }

  @Test
  void theNewestThousandAreRemembered() {
    PenaltyState patient = state(Duration.ofDays(1), 1_000, 3);
    for (int i = 0; i < 999; i++) {
      patient.violated(cells, at, NOW + i, SECOND);
    }
    assertThat(patient.left(cells, at, NOW + 999)).isZero();
    patient.violated(cells, at, NOW + 999, SECOND);
    assertThat(patient.left(cells, at, NOW + 999)).isEqualTo(3 * SECOND);
    patient.violated(cells, at, NOW + 1_000, SECOND);
    assertThat(Log.size(cells, at)).isEqualTo(1_000);
    assertThat(Log.get(cells, at, 0)).isEqualTo(NOW + 1);
  }

  @Test
  void canBeForgottenWhenNeitherRunsNorRemembers() {
    violatedAt(NOW);
    assertThat(state.forgettableAt(cells, at, NOW)).isEqualTo(NOW + 10 * SECOND);
    violatedAt(NOW, NOW, NOW + 8 * SECOND);
    assertThat(state.forgettableAt(cells, at, NOW)).isEqualTo(NOW + 18 * SECOND);
    PenaltyState strict = state(Duration.ofSeconds(10), 1, 100);
    strict.violated(cells, at, NOW + 9 * SECOND, SECOND);
    assertThat(strict.forgettableAt(cells, at, NOW)).isEqualTo(NOW + 109 * SECOND);
  }

  @Test
  void aClockThatGoesBackLengthensNothing() {
    violatedAt(NOW, NOW + 1, NOW + 2);
    long then = NOW - 3_600 * SECOND;

    assertThat(state.isFromTheFuture(cells, at, NOW + 2)).isFalse();
    assertThat(state.isFromTheFuture(cells, at, NOW + 1)).isTrue();
    assertThat(state.left(cells, at, then)).isEqualTo(2 * SECOND);
    state.settle(cells, at, NOW + 2);
    assertThat(state.left(cells, at, NOW + 2)).isEqualTo(2 * SECOND);
    state.settle(cells, at, NOW + 1);
    assertThat(Log.get(cells, at, 0)).isEqualTo(NOW);
    assertThat(Log.get(cells, at, 1)).isEqualTo(NOW + 1);
    assertThat(Log.get(cells, at, 2)).isEqualTo(NOW + 1);
    assertThat(state.left(cells, at, NOW + 2)).isEqualTo(2 * SECOND - 1);
    state.settle(cells, at, then);
    assertThat(Log.get(cells, at, 0)).isEqualTo(then);
    assertThat(state.left(cells, at, then + SECOND)).isEqualTo(SECOND);
  }

  @Test
  void aViolationOrAPenaltyAloneMayBeFromTheFuture() {
    violatedAt(NOW);
    assertThat(state.isFromTheFuture(cells, at, NOW)).isFalse();
    assertThat(state.isFromTheFuture(cells, at, NOW - 1)).isTrue();
    violatedAt(NOW, NOW);
    Log.removeNewest(cells, at, 3);
    assertThat(state.isFromTheFuture(cells, at, NOW)).isFalse();
    assertThat(state.isFromTheFuture(cells, at, NOW - 1)).isTrue();
  }

  @Test
  void aViolationSettlesFirst() {
    violatedAt(NOW, NOW, NOW - 5 * SECOND);

    assertThat(Log.get(cells, at, 0)).isEqualTo(NOW - 5 * SECOND);
    assertThat(state.left(cells, at, NOW - 5 * SECOND)).isEqualTo(2 * SECOND);
  }
}
