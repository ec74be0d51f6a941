package dev.weir.backtest;

import dev.weir.TimeSource;

/** A clock that a log moves, and never back. For one thread. */
final class ReplayClock implements TimeSource {
  private long nowMicros;

  void moveTo(long micros) {
    nowMicros = Math.max(nowMicros, micros);
  }

  @Override
  public long nowMicros() {
    return nowMicros;
  }
}
