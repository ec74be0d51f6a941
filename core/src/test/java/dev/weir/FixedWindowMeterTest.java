package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class FixedWindowMeterTest {
  private static final long MINUTE = 60_000_000;

  /** Seven seconds into a minute. */
  private static final long NOW = Micros.of(Instant.parse("2026-03-01T10:00:07Z"));

  private static final long START = NOW - 7_000_000;

  private final Meter meter = meter("10/60s fixed_window");
  private final Meter fromRequest = meter("10/60s fixed_window align first_request");
  private final Cells cells = Cells.wide(3, 2, false);
  private final int at = cells.state(cells.stride);

  private static Meter meter(String limit) {
    return Meter.of(Limit.parse(limit));
  }

  private void assertState(long start, long count) {
    assertThat(cells.words[at]).isEqualTo(start);
    assertThat(cells.words[at + 1]).isEqualTo(count);
  }

  @Test
  void countsInTheWindowOfNow() {
    assertThat(meter.words()).isEqualTo(2);
    assertThat(meter.used(cells, at, NOW)).isZero();
    assertThat(meter.freeAt(cells, at, NOW, 0)).isEqualTo(NOW);
    meter.charge(cells, at, NOW, 3);
    meter.charge(cells, at, NOW + 1_000_000, 4);

    assertState(START, 7);
    assertThat(meter.used(cells, at, NOW)).isEqualTo(7);
    assertThat(meter.isUsedAtMost(cells, at, NOW, 7)).isTrue();
    assertThat(meter.isUsedAtMost(cells, at, NOW, 6)).isFalse();
    assertThat(meter.freeAt(cells, at, NOW, 7)).isEqualTo(NOW);
    assertThat(meter.freeAt(cells, at, NOW, 6)).isEqualTo(START + MINUTE);
    assertThat(meter.used(cells, at, START + MINUTE - 1)).isEqualTo(7);
    assertThat(meter.used(cells, at, START + MINUTE)).isZero();
    meter.charge(cells, at, START + MINUTE, 2);
    assertState(START + MINUTE, 2);
  }

  @Test
  void countsFromTheFirstRequest() {
    fromRequest.charge(cells, at, NOW, 3);
    fromRequest.charge(cells, at, NOW + MINUTE - 1, 1);

    assertState(NOW, 4);
    assertThat(fromRequest.freeAt(cells, at, NOW + 5, 0)).isEqualTo(NOW + MINUTE);
    assertThat(fromRequest.used(cells, at, NOW + MINUTE)).isZero();
    fromRequest.charge(cells, at, NOW + MINUTE + 8, 1);
    assertState(NOW + MINUTE + 8, 1);
  }

  @Test
  void refundsDownToNothing() {
    meter.charge(cells, at, NOW, 7);
    meter.refund(cells, at, NOW, 3);
    assertState(START, 4);
    meter.refund(cells, at, NOW, 4);
    assertState(0, 0);
    meter.charge(cells, at, NOW, 7);
    meter.refund(cells, at, NOW, Long.MAX_VALUE);
    assertState(0, 0);
  }

  @Test
  void refundsNothingOfAWindowThatHasEnded() {
    meter.charge(cells, at, NOW, 7);
    meter.refund(cells, at, NOW + MINUTE, 3);

    assertState(0, 0);
  }

  @Test
  void aWindowFromTheFutureIsReadAsTheWindowOfNow() {
    meter.charge(cells, at, NOW, 7);
    long then = NOW - 10 * MINUTE;

    assertThat(meter.isFromTheFuture(cells, at, START)).isFalse();
    assertThat(meter.isFromTheFuture(cells, at, START - 1)).isTrue();
    assertThat(meter.used(cells, at, then)).isEqualTo(7);
    assertThat(meter.freeAt(cells, at, then, 0)).isEqualTo(START - 9 * MINUTE);
    meter.settle(cells, at, NOW);
    assertState(START, 7);
    meter.settle(cells, at, then);
    assertState(START - 10 * MINUTE, 7);
  }

  @Test
  void chargesAndRefundsAWindowFromTheFutureInTheWindowOfNow() {
    long then = NOW - 10 * MINUTE;
    meter.charge(cells, at, NOW, 7);
    meter.charge(cells, at, then, 1);
    assertState(START - 10 * MINUTE, 8);
    meter.charge(cells, at, NOW, 5);
    meter.refund(cells, at, then, 1);
    assertState(START - 10 * MINUTE, 4);
  }

  @Test
  void aFirstRequestFromTheFutureCountsFromNow() {
    fromRequest.charge(cells, at, NOW, 7);

    assertThat(fromRequest.isFromTheFuture(cells, at, NOW)).isFalse();
    assertThat(fromRequest.isFromTheFuture(cells, at, NOW - 1)).isTrue();
    assertThat(fromRequest.freeAt(cells, at, NOW - 5, 0)).isEqualTo(NOW - 5 + MINUTE);
    fromRequest.settle(cells, at, NOW - 5);
    assertState(NOW - 5, 7);
  }

  @Test
  void metersAreTheSameWithEqualWindows() {
    assertThat(meter.sameAs(meter("99/m fixed_window"))).isTrue();
    assertThat(meter.sameAs(fromRequest)).isFalse();
    assertThat(meter.sameAs(meter("10/61s fixed_window"))).isFalse();
    assertThat(meter.sameAs(meter("10/m sliding_window"))).isFalse();
    assertThat(meter.continues(meter)).isTrue();
    assertThat(meter.continues(meter("99/m fixed_window"))).isFalse();
    assertThat(meter("1/month fixed_window").sameAs(meter("2/month fixed_window"))).isTrue();
  }

  @Test
  void takesOverWhatIsUsedInTheWindowOfNow() {
    fromRequest.charge(cells, at, NOW - MINUTE + 1, 7);
    meter.takeOver(fromRequest, cells, at, NOW, 2);

    assertState(START, 9);
  }

  @Test
  void itsWindowIsAsLongAsTheOneOfNow() {
    assertThat(meter.windowMicros(NOW)).isEqualTo(MINUTE);
    assertThat(fromRequest.windowMicros(NOW)).isEqualTo(MINUTE);
    assertThat(meter("1/month fixed_window").windowMicros(NOW)).isEqualTo(31L * 1_440 * MINUTE);
    assertThat(
            meter("1/d fixed_window zone Europe/Berlin")
                .windowMicros(Micros.of(Instant.parse("2026-03-29T12:00:00Z"))))
        .isEqualTo(23L * 60 * MINUTE);
  }
}
