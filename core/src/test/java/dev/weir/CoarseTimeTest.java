package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CoarseTimeTest {
  private final TimeSource time = TimeSource.coarse();

  @Test
  void followsTheSystemClock() {
    long start = time.nowMicros();
    long deadline = TimeSource.system().nowMicros() + 30_000_000;
    while (time.nowMicros() < start + 20_000 && TimeSource.system().nowMicros() < deadline) {
      Thread.onSpinWait();
    }

    assertThat(time.nowMicros()).isGreaterThanOrEqualTo(start + 20_000);
    assertThat(time.nowMicros()).isCloseTo(TimeSource.system().nowMicros(), within(5_000_000L));
  }

  @Test
  void neverGoesBackAndIsNeverAheadOfTheSystemClock() {
    long last = time.nowMicros();
    for (int i = 0; i < 100_000; i++) {
      long now = time.nowMicros();
      assertThat(now >= last).isTrue();
      last = now;
    }

    // Clocks of two threads may differ by a microsecond.
    assertThat(last).isLessThanOrEqualTo(TimeSource.system().nowMicros() + 1);
  }

  @Test
  void itsThreadKeepsNoProgramAlive() {
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().equals("weir-coarse-clock"))
        .singleElement()
        .matches(Thread::isDaemon);
  }

  @Test
  void thereIsOneForAll() {
    assertThat(TimeSource.coarse()).isSameAs(time);
    assertThat(TimeSource.system()).isSameAs(TimeSource.system());
  }
}
