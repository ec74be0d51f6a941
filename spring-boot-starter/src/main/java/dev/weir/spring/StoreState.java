package dev.weir.spring;

import dev.weir.CounterStore;
import dev.weir.MemoryCounterStore;
import dev.weir.policy.DecisionHealth.Reach;
import dev.weir.policy.DecisionHealth.StoreReport;
import dev.weir.redis.RedisCounterStore;
import dev.weir.redis.RedisHealth;
import java.util.ArrayList;
import java.util.List;
import org.springframework.util.ClassUtils;

/**
 * How the place is where counts live.
 *
 * @param name what it is
 * @param report what is known of it without any decision
 * @param complaints what is wrong there, or may become so, in words; usually nothing
 * @param activeKeys how many counters there are in this process
 * @param overflowed how many decisions were made by the counter that new keys share when there is
 *     no room
 * @param recalledRefusals how many refusals were given from memory in place of asking elsewhere
 * @param askedDecisions how many decisions were asked for elsewhere
 */
public record StoreState(
    String name,
    StoreReport report,
    List<String> complaints,
    long activeKeys,
    long overflowed,
    long recalledRefusals,
    long askedDecisions) {
  private static final boolean IS_REDIS_THERE =
      ClassUtils.isPresent("dev.weir.redis.RedisCounterStore", StoreState.class.getClassLoader());

  private static final StoreReport FINE = StoreReport.good();

  /** Whether all of it responds. */
  public boolean isReachable() {
    return report.reach() == Reach.ALL;
  }

  /** The state of a store. */
  public static StoreState of(CounterStore store) {
    if (store instanceof MemoryCounterStore memory) {
      return new StoreState(
          "memory",
          FINE,
          List.of(),
          memory.statistics().liveKeys(),
          memory.statistics().overflowed(),
          0,
          0);
    }
    return IS_REDIS_THERE && OnRedis.isOne(store)
        ? OnRedis.state(store)
        : new StoreState(store.getClass().getSimpleName(), FINE, List.of(), 0, 0, 0, 0);
  }

  /** Not loaded where there is no such module. */
  private static final class OnRedis {
    static boolean isOne(CounterStore store) {
      return store instanceof RedisCounterStore;
    }

    private static StoreReport report(RedisCounterStore redis, List<RedisHealth.Server> servers) {
      boolean isAny = servers.stream().anyMatch(RedisHealth.Server::isReachable);
      long refusing = servers.stream().filter(RedisHealth.Server::refusesWrites).count();
      return new StoreReport(
          redis.isReachable() ? Reach.ALL : isAny ? Reach.SOME : Reach.NONE,
          refusing == 0 ? Reach.ALL : refusing < servers.size() ? Reach.SOME : Reach.NONE,
          servers.stream().allMatch(server -> server.writeError().isEmpty()));
    }

    static StoreState state(CounterStore store) {
      RedisCounterStore redis = (RedisCounterStore) store;
      List<String> complaints = new ArrayList<>();
      List<RedisHealth.Server> servers = redis.health().servers();
      for (RedisHealth.Server server : servers) {
        if (!server.isReachable()) {
          String why = server.lastFailure().map(failure -> ": " + failure).orElse("");
          complaints.add(server.target() + " does not answer" + why);
        }
        if (server.refusesWrites()) {
          complaints.add(server.target() + " refuses writes: " + server.writeError().orElse(""));
        }
        server.warnings().forEach(warning -> complaints.add(server.target() + ": " + warning));
      }
      return new StoreState(
          "redis",
          report(redis, servers),
          complaints,
          0,
          0,
          redis.recalledRefusals(),
          redis.askedDecisions());
    }
  }
}
