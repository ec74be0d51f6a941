package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.Limit;
import dev.weir.cli.Outcome.Refusals;
import dev.weir.cli.Outcome.Slice;
import org.junit.jupiter.api.Test;

class SimulationTest {

  /**
   * 125 requests at t = 0, 0.04 … 4.96 s. Before the k-th (k = 0, 1, 2 …) the bucket has had 20 +
   * 0.4 k permits in all, and it never runs over, since each step brings 0.4 and takes up to 1. So
   * the k-th passes if fewer than floor(20 + 0.4 k) have passed before, and up to it min(k + 1,
   * floor(20 + 0.4 k)) have: at the last, k = 124, floor(69.6) = 69. The first that is refused is
   * the first k with k + 1 > 20 + 0.4 k: k = 32, at 1.28 s, when 20 + 12.8 - 32 = 0.8 permits are
   * there; the missing 0.2 take 20 ms.
   */
  @Test
  void replaysATokenBucketAsCalculatedByHand() {
    Outcome outcome = run("10/s burst 20", "200ms", "25/s", "5s");
    assertThat(outcome.offered()).isEqualTo(125);
    assertThat(outcome.allowed()).isEqualTo(69);
    assertThat(outcome.refused()).isEqualTo(56);
    assertThat(outcome.timeline()).hasSize(25);
    // Five in the first slice: 20 + 10/s * 0.199999 s - 5 = 16.99999, of which 16 are whole.
    assertThat(outcome.timeline().get(0)).isEqualTo(new Slice(0, 5, 0, 16));
    // From then on 2 of 5.
    assertThat(outcome.timeline().get(24)).isEqualTo(new Slice(4_800_000, 2, 3, 0));
    Refusals refusals = outcome.refusals().orElseThrow();
    assertThat(refusals.firstMicros()).isEqualTo(1_280_000);
    assertThat(refusals.retryAfterMicros()).isEqualTo(20_000);
    assertThat(refusals.longestRun()).isEqualTo(2);
  }

  /** Each second 10 of 25 pass, the first ten; the other fifteen are a run. */
  @Test
  void replaysAFixedWindowAsCalculatedByHand() {
    Outcome outcome = run("10/s fixed_window", "1s", "25/s", "3s");
    assertThat(outcome.timeline())
        .containsExactly(
            new Slice(0, 10, 15, 0),
            new Slice(1_000_000, 10, 15, 0),
            new Slice(2_000_000, 10, 15, 0));
    assertThat(outcome.refusals()).contains(new Refusals(400_000, 600_000, 15, 400_000, 960_000));
  }

  /** Windows of seven seconds do not divide a day: the replay still starts with a whole one. */
  @Test
  void startsWithAWholeWindow() {
    assertThat(run("2/7s fixed_window", "7s", "1/s", "14s").timeline())
        .containsExactly(new Slice(0, 2, 5, 0), new Slice(7_000_000, 2, 5, 0));
  }

  /** January has 31 days, February of 2024 has 29: each lets the first ten days pass. */
  @Test
  void startsCalendarWindowsWithAYear() {
    Outcome outcome = run("10/month fixed_window", "1d", "1/d", "60d");
    assertThat(outcome.allowed()).isEqualTo(20);
    assertThat(outcome.timeline().get(30).allowed()).isZero();
    assertThat(outcome.timeline().get(31).allowed()).isEqualTo(1);
  }

  @Test
  void startsCalendarWindowsAtMidnightOfTheirZone() {
    assertThat(run("1/d fixed_window zone Asia/Tokyo", "1h", "1/h", "25h").timeline())
        .filteredOn(slice -> slice.allowed() == 1)
        .extracting(Slice::atMicros)
        .containsExactly(0L, 24 * 3_600_000_000L);
  }

  /** In any second at most 10: ten at 0, none until 1 s, then ten more. */
  @Test
  void replaysASlidingLogAsCalculatedByHand() {
    Outcome outcome = run("10/s sliding_log", "500ms", "0/s", "2s", "0s=12", "900ms=5", "1s=12");
    assertThat(outcome.timeline())
        .containsExactly(
            new Slice(0, 10, 2, 0),
            new Slice(500_000, 0, 5, 0),
            new Slice(1_000_000, 10, 2, 0),
            new Slice(1_500_000, 0, 0, 0));
    assertThat(outcome.refusals().orElseThrow().longestRun()).isEqualTo(7);
  }

  /**
   * Ten at 0.9 s; at 1.5 s half of the window before is in view, so 10 - 10 * 0.5 = 5 of ten pass.
   */
  @Test
  void replaysASlidingWindowAsCalculatedByHand() {
    Outcome outcome = run("10/s sliding_window", "1s", "0/s", "2s", "900ms=10", "1500ms=10");
    assertThat(outcome.timeline())
        .extracting(Slice::allowed, Slice::refused)
        .containsExactly(tuple(10L, 0L), tuple(5L, 5L));
  }

  @Test
  void showsWhatIsLeftInSlicesWithoutARequest() {
    assertThat(run("10/s", "1s", "0/s", "2500ms", "0s=10").timeline())
        .containsExactly(
            new Slice(0, 10, 0, 9), new Slice(1_000_000, 0, 0, 10), new Slice(2_000_000, 0, 0, 10));
  }

  @Test
  void countsRequestsNotPermits() {
    Outcome outcome =
        Simulation.run(
            Limit.parse("10/s"), ArrivalsTest.arrivals("0/s", "1s", "0s=5"), 3, 1_000_000);
    assertThat(outcome.allowed()).isEqualTo(3);
    assertThat(outcome.refused()).isEqualTo(2);
  }

  @Test
  void knowsThatACostAboveTheCapacityNeverPasses() {
    Outcome outcome =
        Simulation.run(Limit.parse("10/s"), ArrivalsTest.arrivals("1/s", "2s"), 11, 1_000_000);
    assertThat(outcome.refusals()).contains(new Refusals(0, 0, 2, 0, 1_000_000));
  }

  @Test
  void hasNothingToSayOfRefusalsWhenAllPass() {
    assertThat(run("10/s", "1s", "5/s", "2s").refusals()).isEmpty();
  }

  private static Outcome run(
      String limit, String slice, String rate, String length, String... bursts) {
    return Simulation.run(
        Limit.parse(limit),
        ArrivalsTest.arrivals(rate, length, bursts),
        1,
        TimeText.parseMicros(slice));
  }
}
