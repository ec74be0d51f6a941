package dev.weir.server;

import dev.weir.CounterStore;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.policy.DecisionHealth.Reach;
import dev.weir.policy.DecisionHealth.StoreReport;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.CounterSettings;
import dev.weir.policy.config.RedisSettings;
import dev.weir.redis.RedisCounterStore;
import dev.weir.redis.RedisHealth;
import dev.weir.redis.RedisOptions;
import dev.weir.redis.RedisTopology;
import java.util.ArrayList;
import java.util.List;

/** Where counts live, as the configuration says, and how that place is. */
sealed interface Counters extends AutoCloseable {

  /** The store. */
  CounterStore store();

  /** What is known of it without any decision. */
  StoreReport report();

  /** What is wrong there, or may become so, in words; usually nothing. */
  List<String> complaints();

  /** How many counters there are in this process. */
  long activeKeys();

  /** How many decisions were made by the counter that new keys share when there is no room. */
  long overflowed();

  /** How many refusals were given from memory in place of asking elsewhere. */
  long recalledRefusals();

  /** How many decisions were asked for elsewhere. */
  long askedDecisions();

  /** What it is, for those who operate it. */
  @Override
  String toString();

  @Override
  default void close() {
    store().close();
  }

  /**
   * Opens them. Redis need not be there yet.
   *
   * @throws StartException if the settings cannot be used
   */
  static Counters open(Config config, TimeSource time) {
    if (config.counters().backend() == CounterSettings.Backend.MEMORY) {
      return new InMemory(new MemoryCounterStore(time, config.counters().maxKeys()));
    }
    RedisSettings settings = config.redis();
    try {
      return new OnRedis(RedisCounterStore.open(topology(settings), options(settings)), settings);
    } catch (IllegalArgumentException wrong) {
      throw new StartException("redis: " + wrong.getMessage(), wrong);
    }
  }

  private static RedisOptions options(RedisSettings settings) {
    return RedisOptions.defaults()
        .withKeyPrefix(settings.keyPrefix())
        .withCommandTimeout(settings.commandTimeout())
        .withConnectTimeout(settings.connectTimeout());
  }

  private static RedisTopology topology(RedisSettings settings) {
    return switch (settings.topology()) {
      case SINGLE, SENTINEL -> new RedisTopology.Single(settings.uris().get(0));
      case CLUSTER -> new RedisTopology.Cluster(settings.uris());
      case RING -> new RedisTopology.Ring(settings.uris());
    };
  }

  /** In this process. */
  record InMemory(MemoryCounterStore store) implements Counters {
    @Override
    public StoreReport report() {
      return StoreReport.good();
    }

    @Override
    public List<String> complaints() {
      return List.of();
    }

    @Override
    public long activeKeys() {
      return store.statistics().liveKeys();
    }

    @Override
    public long overflowed() {
      return store.statistics().overflowed();
    }

    @Override
    public long recalledRefusals() {
      return 0;
    }

    @Override
    public long askedDecisions() {
      return 0;
    }

    @Override
    public String toString() {
      return "memory";
    }
  }

  /** On Redis. */
  record OnRedis(RedisCounterStore store, RedisSettings settings) implements Counters {
    @Override
    public StoreReport report() {
      List<RedisHealth.Server> servers = store.health().servers();
      boolean isAny = servers.stream().anyMatch(RedisHealth.Server::isReachable);
      long refusing = servers.stream().filter(RedisHealth.Server::refusesWrites).count();
      return new StoreReport(
          store.isReachable() ? Reach.ALL : isAny ? Reach.SOME : Reach.NONE,
          refusing == 0 ? Reach.ALL : refusing < servers.size() ? Reach.SOME : Reach.NONE,
          servers.stream().allMatch(server -> server.writeError().isEmpty()));
    }

    @Override
    public List<String> complaints() {
      List<String> all = new ArrayList<>();
      for (RedisHealth.Server server : store.health().servers()) {
        if (!server.isReachable()) {
          String why = server.lastFailure().map(failure -> ": " + failure).orElse("");
          all.add(server.target() + " does not answer" + why);
        }
        if (server.refusesWrites()) {
          all.add(server.target() + " refuses writes: " + server.writeError().orElse(""));
        }
        server.warnings().forEach(warning -> all.add(server.target() + ": " + warning));
      }
      return all;
    }

    @Override
    public long activeKeys() {
      return 0;
    }

    @Override
    public long overflowed() {
      return 0;
    }

    @Override
    public long recalledRefusals() {
      return store.recalledRefusals();
    }

    @Override
    public long askedDecisions() {
      return store.askedDecisions();
    }

    @Override
    public String toString() {
      return "redis " + settings.topology();
    }
  }
}
