package dev.weir.backtest.suggest;

import dev.weir.Period;
import java.util.List;

/** A window that limits are tried for, and the numbers of permits that are. */
final class Window {
  static final Window SECOND = new Window(0, Period.Unit.SECOND, 16);
  static final Window MINUTE = new Window(1, Period.Unit.MINUTE, 20);
  static final Window HOUR = new Window(2, Period.Unit.HOUR, 24);
  static final List<Window> ALL = List.of(SECOND, MINUTE, HOUR);

  private final int number;
  private final Period.Span period;
  private final long[] rungs;

  private Window(int number, Period.Unit unit, int count) {
    this.number = number;
    this.period = new Period.Span(1, unit);
    this.rungs = rungs(count);
  }

  /** 1, 2, 3, 5, 10, 20, 30, 50 and so on. */
  private static long[] rungs(int count) {
    long[] ofDecade = {1, 2, 3, 5};
    long[] rungs = new long[count];
    long decade = 1;
    for (int i = 0; i < count; i++) {
      rungs[i] = ofDecade[i % ofDecade.length] * decade;
      decade *= i % ofDecade.length == ofDecade.length - 1 ? 10 : 1;
    }
    return rungs;
  }

  /** Its place among {@link #ALL}. */
  int number() {
    return number;
  }

  Period.Span period() {
    return period;
  }

  /** How many numbers of permits there are; fewer than 64. */
  int rungs() {
    return rungs.length;
  }

  long permits(int rung) {
    return rungs[rung];
  }

  /** How many rungs have fewer permits than that. */
  int rungsBelow(long demand) {
    int count = 0;
    while (count < rungs.length && rungs[count] < demand) {
      count++;
    }
    return count;
  }

  /** After a rest of that length, a counter of any kind is as if it had never been used. */
  long restMicros() {
    return Shape.LARGEST_BURST * period.micros();
  }
}
