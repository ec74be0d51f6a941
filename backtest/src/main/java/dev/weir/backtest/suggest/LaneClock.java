package dev.weir.backtest.suggest;

import dev.weir.TimeSource;

/**
 * A clock that stands where the log is, and goes back to put requests to counters that had no need
 * of them when they came. For one thread.
 */
final class LaneClock implements TimeSource {
  private long nowMicros;

  void set(long micros) {
    nowMicros = micros;
  }

  @Override
  public long nowMicros() {
    return nowMicros;
  }
}
