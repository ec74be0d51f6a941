package dev.weir.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.backtest.BacktestReport.Step;
import dev.weir.backtest.BacktestReport.Timeline;
import dev.weir.policy.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimelineSumsTest {
  private static final long SECOND = 1_000_000;

  @Test
  void stepsAreSecondsWhileThereIsRoom() {
    TimelineSums sums = new TimelineSums();
    sums.add(10 * SECOND + 5, Outcome.ALLOWED, null);
    sums.add(12 * SECOND, Outcome.THROTTLED, Outcome.ALLOWED);

    Timeline timeline = sums.timeline();
    assertThat(timeline.stepMicros()).isEqualTo(SECOND);
    assertThat(timeline.steps())
        .containsExactly(
            new Step(10 * SECOND, new Comparison(new Tally(1, 0, 0), new Tally(0, 0, 0), 0, 0)),
            new Step(11 * SECOND, new Comparison(new Tally(0, 0, 0), new Tally(0, 0, 0), 0, 0)),
            new Step(12 * SECOND, new Comparison(new Tally(0, 1, 0), new Tally(1, 0, 0), 1, 0)));
  }

  @Test
  void longerTimesMakeLongerStepsAndLoseNothing() {
    for (int seed = 1; seed <= 50; seed++) {
      Random random = new Random(seed);
      TimelineSums sums = new TimelineSums();
      List<Long> times = new ArrayList<>();
      long at = random.nextInt(2_000_000_000) * SECOND;
      for (int i = 0; i < 2_000; i++) {
        at += random.nextInt(100) == 0 ? random.nextInt(2_000_000_000) : random.nextInt(100_000);
        times.add(at);
        sums.add(at, Outcome.BLOCKED, null);
      }

      Timeline timeline = sums.timeline();
      assertThat(timeline.steps()).hasSizeLessThanOrEqualTo(Timeline.MOST_STEPS);
      for (Step step : timeline.steps()) {
        long end = step.atMicros() + timeline.stepMicros();
        long exact = times.stream().filter(each -> each >= step.atMicros() && each < end).count();
        assertThat(step.atMicros() % timeline.stepMicros()).isZero();
        assertThat(step.comparison().after().blocked()).as("seed %d", seed).isEqualTo(exact);
      }
      long sum =
          timeline.steps().stream().mapToLong(step -> step.comparison().after().requests()).sum();
      assertThat(sum).isEqualTo(times.size());
    }
  }

  @Test
  void aGapOfYearsIsNoTrouble() {
    TimelineSums sums = new TimelineSums();
    sums.add(0, Outcome.ALLOWED, null);
    sums.add(LoggedRequest.END_MICROS - 1, Outcome.ALLOWED, null);

    assertThat(sums.timeline().steps()).hasSizeBetween(60, Timeline.MOST_STEPS);
  }
}
