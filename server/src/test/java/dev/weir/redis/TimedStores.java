package dev.weir.redis;

import dev.weir.TimeSource;
import java.time.Duration;

/** Opens stores on a clock that a test moves. */
public final class TimedStores {
  private TimedStores() {}

  /** A store on one server, by that clock in place of the server's. */
  public static RedisCounterStore open(String uri, TimeSource time) {
    return RedisCounterStore.openAt(
        time,
        new RedisTopology.Single(uri),
        RedisOptions.defaults()
            .withCommandTimeout(Duration.ofSeconds(30))
            .withConnectTimeout(Duration.ofSeconds(30)));
  }
}
