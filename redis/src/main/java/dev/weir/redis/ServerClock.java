package dev.weir.redis;

import dev.weir.TimeSource;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a server's clock says, about: its answers tell the time, and this JVM's clock counts on from
 * there. Decisions never depend on it, only the server's own reading counts; it says until when the
 * server should bother, and around when a calendar is needed.
 */
final class ServerClock {
  /** The server shall use its own clock. */
  static final long SERVERS_OWN = -1;

  private final @Nullable TimeSource instead;
  private volatile long aheadMicros;
  private volatile boolean isKnown;

  /**
   * A clock.
   *
   * @param instead for tests: what the server shall take for the time; null for its own clock
   */
  ServerClock(@Nullable TimeSource instead) {
    this.instead = instead;
  }

  /** Whether the server is told the time, which only tests do. */
  boolean isGiven() {
    return instead != null;
  }

  /** What the server is told about the time. */
  long toUse() {
    return instead == null ? SERVERS_OWN : instead.nowMicros();
  }

  /** About what the server's clock says now. */
  long nowMicros() {
    if (instead != null) {
      return instead.nowMicros();
    }
    return isKnown
        ? micros(System.nanoTime()) + aheadMicros
        : TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
  }

  /** The instant by the server's clock that lies that far ahead; 0 if that cannot be told. */
  long deadlineMicros(long nanosAhead) {
    return isKnown && instead == null ? micros(System.nanoTime() + nanosAhead) + aheadMicros : 0;
  }

  /**
   * Takes note of an answer.
   *
   * @param sentAt when the request left, by {@link System#nanoTime}
   * @param serverMicros what the server's clock said since then
   */
  void heard(long sentAt, long serverMicros) {
    // The server read its clock after the request left, so it is at most this far ahead.
    aheadMicros = serverMicros - micros(sentAt);
    isKnown = true;
  }

  private static long micros(long nanos) {
    return TimeUnit.NANOSECONDS.toMicros(nanos);
  }
}
