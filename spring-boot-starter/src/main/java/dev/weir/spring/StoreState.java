package dev.weir.spring;

import dev.weir.CounterStore;
import dev.weir.MemoryCounterStore;
import dev.weir.redis.RedisCounterStore;
import dev.weir.redis.RedisHealth;
import java.util.ArrayList;
import java.util.List;
import org.springframework.util.ClassUtils;

/**
 * How the place is where counts live.
 *
 * @param name what it is
 * @param isReachable whether it decides now
 * @param complaints what is wrong there, or may become so, in words; usually nothing
 * @param activeKeys how many counters there are in this process
 * @param overflowed how many decisions were made by the counter that new keys share when there is
 *     no room
 * @param recalledRefusals how many refusals were given from memory in place of asking elsewhere
 * @param askedDecisions how many decisions were asked for elsewhere
 */
public record StoreState(
    String name,
    boolean isReachable,
    List<String> complaints,
    long activeKeys,
    long overflowed,
    long recalledRefusals,
    long askedDecisions) {
  private static final boolean IS_REDIS_THERE =
      ClassUtils.isPresent("dev.weir.redis.RedisCounterStore", StoreState.class.getClassLoader());

  /** The state of a store. */
  public static StoreState of(CounterStore store) {
    if (store instanceof MemoryCounterStore memory) {
      return new StoreState(
          "memory",
          true,
          List.of(),
          memory.statistics().liveKeys(),
          memory.statistics().overflowed(),
          0,
          0);
    }
    return IS_REDIS_THERE && OnRedis.isOne(store)
        ? OnRedis.state(store)
        : new StoreState(store.getClass().getSimpleName(), true, List.of(), 0, 0, 0, 0);
  }

  /** Not loaded where there is no such module. */
  private static final class OnRedis {
    static boolean isOne(CounterStore store) {
      return store instanceof RedisCounterStore;
    }

    static StoreState state(CounterStore store) {
      RedisCounterStore redis = (RedisCounterStore) store;
      List<String> complaints = new ArrayList<>();
      for (RedisHealth.Server server : redis.health().servers()) {
        if (!server.isReachable()) {
          String why = server.lastFailure().map(failure -> ": " + failure).orElse("");
          complaints.add(server.target() + " does not answer" + why);
        }
        server.warnings().forEach(warning -> complaints.add(server.target() + ": " + warning));
      }
      return new StoreState(
          "redis",
          redis.isReachable(),
          complaints,
          0,
          0,
          redis.recalledRefusals(),
          redis.askedDecisions());
    }
  }
}
