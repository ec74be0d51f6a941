package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManualTimeTest {
  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

  private final ManualTime time = TimeSource.manual(START);
  private final List<String> ran = new ArrayList<>();

  @Test
  void standsStillUntilItIsMoved() {
    assertThat(time.nowMicros()).isEqualTo(Micros.of(START));
    assertThat(time.nowMicros()).isEqualTo(Micros.of(START));
    time.advance(Duration.ofMillis(3));
    assertThat(time.nowMicros()).isEqualTo(Micros.of(START) + 3_000);
    time.advance(Duration.ofSeconds(-1));
    assertThat(time.nowMicros()).isEqualTo(Micros.of(START) - 997_000);
    time.set(START.plusNanos(5_000));
    assertThat(time.nowMicros()).isEqualTo(Micros.of(START) + 5);
  }

  @Test
  void partsOfAMicrosecondAreRoundedUp() {
    time.advance(Duration.ofNanos(1));

    assertThat(time.nowMicros()).isEqualTo(Micros.of(START) + 1);
  }

  @Test
  void tasksRunInTheOrderOfTheirTimes() {
    time.runAfter(2_000, () -> ran.add("second"));
    time.runAfter(1_000, () -> ran.add("first"));
    time.runAfter(2_000, () -> ran.add("third, added later"));
    time.runAfter(3_001, () -> ran.add("not yet"));
    time.advance(Duration.ofMillis(3));

    assertThat(ran).containsExactly("first", "second", "third, added later");
    time.advance(Duration.ofNanos(1_000));
    assertThat(ran).hasSize(4);
  }

  @Test
  void tasksRunExactlyWhenTheyAreDue() {
    time.runAfter(1_000, () -> ran.add("due"));
    time.advance(Duration.ofNanos(999_000));
    assertThat(ran).isEmpty();
    time.advance(Duration.ofNanos(1_000));
    assertThat(ran).containsExactly("due");
    time.advance(Duration.ofDays(1));
    assertThat(ran).containsExactly("due");
  }

  @Test
  void tasksRunOnTheThreadThatMovesTheClock() {
    List<Thread> runner = new ArrayList<>();
    time.runAfter(1, () -> runner.add(Thread.currentThread()));
    time.set(START.plusSeconds(1));

    assertThat(runner).containsExactly(Thread.currentThread());
  }

  @Test
  void tasksMayAddTasks() {
    time.runAfter(1_000, () -> time.runAfter(1_000, () -> ran.add("next")));
    time.advance(Duration.ofMillis(1));
    assertThat(ran).isEmpty();
    time.advance(Duration.ofMillis(1));
    assertThat(ran).containsExactly("next");
  }

  @Test
  void goesFrom1970To2400() {
    assertThat(TimeSource.manual(Instant.EPOCH).nowMicros()).isZero();
    assertThat(TimeSource.manual(Instant.parse("2400-01-01T00:00:00Z")).nowMicros())
        .isEqualTo(Micros.LAST);
    assertThatThrownBy(() -> TimeSource.manual(Instant.parse("1969-12-31T23:59:59Z")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("time must be between 1970 and 2400, got 1969-12-31T23:59:59Z");
    assertThatThrownBy(() -> time.set(Instant.parse("2400-01-01T00:00:00.000001Z")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("time must be between 1970 and 2400, got 2400-01-01T00:00:00.000001Z");
    assertThatThrownBy(() -> time.advance(Duration.ofDays(-30_000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("time must be between 1970 and 2400, got 19");
    assertThat(time.nowMicros()).isEqualTo(Micros.of(START));
  }
}
