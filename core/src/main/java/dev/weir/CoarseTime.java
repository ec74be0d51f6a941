package dev.weir;

import java.util.concurrent.locks.LockSupport;

/** The system time as a daemon thread last read it, about once a millisecond. */
final class CoarseTime implements TimeSource {
  static final CoarseTime INSTANCE = new CoarseTime();

  private static final long TICK_NANOS = 1_000_000L;

  private volatile long nowMicros = SystemTime.INSTANCE.nowMicros();

  private CoarseTime() {
    Thread ticker = new Thread(this::tick, "weir-coarse-clock");
    ticker.setDaemon(true);
    ticker.start();
  }

  @Override
  public long nowMicros() {
    return nowMicros;
  }

  private void tick() {
    for (; ; ) {
      LockSupport.parkNanos(TICK_NANOS);
      nowMicros = SystemTime.INSTANCE.nowMicros();
    }
  }
}
