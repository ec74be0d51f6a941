package dev.weir.redis;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * Waits for what is going to happen: looks often, and gives up late, for the machine may be busy.
 */
final class Eventually {
  private Eventually() {}

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final Duration POLL = Duration.ofMillis(5);

  static ConditionFactory await() {
    return Awaitility.await().atMost(TIMEOUT).pollDelay(Duration.ZERO).pollInterval(POLL);
  }
}
