package dev.weir.bench;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The near-limit reference: about the least that a limiter which reads a clock can do. A token
 * bucket is one number, the instant at which it is full again; a request reads the clock, adds its
 * share and swaps the number. It keeps no key, no statistics and no exactness below a nanosecond.
 *
 * @param nanosPerPermit the time in which one permit is refilled
 * @param nanosToFill the time in which an empty bucket is full
 */
record Gcra(long nanosPerPermit, long nanosToFill) {

  static Gcra perSecond(long permits) {
    long second = TimeUnit.SECONDS.toNanos(1);
    return new Gcra(second / permits, second);
  }

  static Gcra perYear() {
    long year = TimeUnit.DAYS.toNanos(365);
    return new Gcra(year, year);
  }

  /** A full bucket. */
  static AtomicLong full() {
    return new AtomicLong(System.nanoTime());
  }

  boolean tryAcquire(AtomicLong fullAt) {
    long now = System.nanoTime();
    while (true) {
      long seen = fullAt.get();
      long next = (seen - now > 0 ? seen : now) + nanosPerPermit;
      if (next - now > nanosToFill) {
        return false;
      }
      if (fullAt.compareAndSet(seen, next)) {
        return true;
      }
    }
  }
}
