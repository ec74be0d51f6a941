package dev.weir.redis;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.PenaltyCounter;
import dev.weir.TimeSource;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Counters on Redis that a fleet shares: the decisions of {@code docs/semantics.md}, each in one
 * call, by the server's clock.
 *
 * <p>Answers come on a thread of the Redis client, which must not be blocked. An operation whose
 * answer does not come in time fails with a {@link RedisStoreException} and is never sent again.
 * While a server does not answer, operations on its counters fail at once; as soon as it answers,
 * it is asked again. Redis need not be there at the start.
 */
public final class RedisCounterStore implements CounterStore {
  private static final System.Logger LOGGER = System.getLogger(RedisCounterStore.class.getName());

  private static final long TICK_MILLIS = 5;
  private static final Duration FIRST_TRY_GRACE = Duration.ofMillis(500);

  private final LettuceClient client;
  private final Refusals refusals;
  private final Servers servers;

  /** What looking after the servers failed with the last time; only that thread uses it. */
  private String lastFailure = "";

  private final Thread ticker = new Thread(this::tick, "weir-redis");
  private final CountDownLatch firstTick = new CountDownLatch(1);

  private RedisCounterStore(
      RedisTopology topology, RedisOptions options, Timings timings, @Nullable TimeSource time) {
    List<RedisURI> uris = uris(topology);
    KeyNames names = new KeyNames(options.keyPrefix());
    client = new LettuceClient(options);
    refusals =
        new Refusals(
            options.remembersRefusals(),
            names,
            time == null ? () -> System.nanoTime() / 1_000 : time::nowMicros);
    servers = servers(topology, uris, names, options, timings, time);
    ticker.setDaemon(true);
    ticker.start();
  }

  private static List<RedisURI> uris(RedisTopology topology) {
    if (topology instanceof RedisTopology.Single single) {
      return List.of(read(single.uri()));
    }
    if (topology instanceof RedisTopology.Ring ring) {
      return ring.uris().stream().map(RedisCounterStore::read).toList();
    }
    List<RedisURI> nodes =
        ((RedisTopology.Cluster) topology).uris().stream().map(RedisCounterStore::read).toList();
    if (nodes.stream().anyMatch(node -> node.getHost() == null)) {
      throw new IllegalArgumentException(
          "uris of a cluster must name its nodes, such as redis://localhost:6379, got one without a"
              + " host");
    }
    return nodes;
  }

  private static RedisURI read(String uri) {
    try {
      return RedisURI.create(uri);
    } catch (IllegalArgumentException unreadable) {
      // Neither the URI nor the cause, which shows it: there may be a password in it.
      throw new IllegalArgumentException(
          "uri must be such as redis://user:password@localhost:6379/0, with special characters in"
              + " the password written as %40, got one that cannot be read");
    }
  }

  private Servers servers(
      RedisTopology topology,
      List<RedisURI> uris,
      KeyNames names,
      RedisOptions options,
      Timings timings,
      @Nullable TimeSource time) {
    if (topology instanceof RedisTopology.Cluster) {
      return new ClusterServers(
          uris.stream()
              .map(uri -> new ClusterServers.Address(uri.getHost(), uri.getPort()))
              .toList(),
          (node, neighbours) ->
              new Courier(
                  client.at(node.uri(uris.get(0))),
                  names,
                  new ServerClock(time),
                  options,
                  neighbours,
                  refusals,
                  timings),
          options.commandTimeout());
    }
    return new RingServers(
        uris.stream()
            .map(
                uri ->
                    new Courier(
                        client.at(uri),
                        names,
                        new ServerClock(time),
                        options,
                        null,
                        refusals,
                        timings))
            .toList(),
        topology instanceof RedisTopology.Ring ring ? ring.virtualNodes() : 1);
  }

  private void tick() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        lookAfterServers();
        firstTick.countDown();
        Thread.sleep(TICK_MILLIS);
      }
    } catch (InterruptedException closed) {
      // close() ends the thread so.
    } finally {
      firstTick.countDown();
    }
  }

  private void lookAfterServers() {
    try {
      servers.tick();
      lastFailure = "";
    } catch (RuntimeException failure) {
      // Once, and not at every attempt.
      if (!failure.toString().equals(lastFailure)) {
        LOGGER.log(System.Logger.Level.WARNING, "looking after Redis failed; it goes on", failure);
      }
      lastFailure = failure.toString();
    }
  }

  /**
   * Waits for the first connections; without them, the store keeps trying.
   *
   * <p>The first tick loads the Redis client, which can take seconds on a busy machine. The connect
   * timeout starts after that. An attempt ends itself when it times out; this waits a little
   * longer, so that the reason of a failure is known when the store is used.
   */
  private void awaitFirstTry(RedisOptions options) {
    try {
      firstTick.await();
      Duration timeout = options.connectTimeout().plus(FIRST_TRY_GRACE);
      servers.firstTry().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException late) {
      LOGGER.log(System.Logger.Level.DEBUG, "the first connection takes long", late);
    }
  }

  /**
   * A store on one server, or on the master that sentinels name. Waits for the connection, but not
   * longer than it may take.
   *
   * @param uri as of {@link RedisTopology.Single}
   * @throws IllegalArgumentException if the URI or the trust store cannot be read
   */
  public static RedisCounterStore open(String uri, RedisOptions options) {
    return open(new RedisTopology.Single(uri), options);
  }

  /**
   * A store on those servers. Waits for connections, but not longer than one may take.
   *
   * @throws IllegalArgumentException if a URI or the trust store cannot be read
   */
  public static RedisCounterStore open(RedisTopology topology, RedisOptions options) {
    return opened(topology, options, Timings.DEFAULT, null);
  }

  /** For tests: a store that checks on its servers at those times. */
  static RedisCounterStore open(RedisTopology topology, RedisOptions options, Timings timings) {
    return opened(topology, options, timings, null);
  }

  /** For tests: a store whose servers take that for the time. */
  static RedisCounterStore openAt(TimeSource time, RedisTopology topology, RedisOptions options) {
    return opened(topology, options, Timings.DEFAULT, time);
  }

  private static RedisCounterStore opened(
      RedisTopology topology, RedisOptions options, Timings timings, @Nullable TimeSource time) {
    RedisCounterStore store = new RedisCounterStore(topology, options, timings, time);
    store.awaitFirstTry(options);
    return store;
  }

  @Override
  public CompletionStage<Decision> apply(Operation operation) {
    Decision known = refusals.recall(operation, servers);
    if (known != null) {
      return CompletableFuture.completedStage(known);
    }
    int place = servers.place(operation.counters().get(0).key());
    if (isAllAt(place, operation)) {
      Asked asked = new Asked(operation, place);
      asked.ticket = refusals.ticket(operation, place);
      servers.bring(asked);
      return asked.answer;
    }
    return applySplit(operation);
  }

  private CompletionStage<Decision> applySplit(Operation operation) {
    Split split = Split.of(operation, servers);
    Refusals.Ticket ticket = refusals.ticket(operation, split.places());
    CompletableFuture<Decision> answer = new CompletableFuture<>();
    split
        .apply()
        .whenComplete(
            (decision, failure) -> {
              if (decision == null) {
                answer.completeExceptionally(unwrapped(failure));
                return;
              }
              if (ticket != null) {
                ticket.answered(decision, split.penaltyMicros());
              }
              answer.complete(decision);
            });
    return answer;
  }

  private static Throwable unwrapped(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause == null ? new IllegalStateException("neither a decision nor a failure") : cause;
  }

  private boolean isAllAt(int place, Operation operation) {
    String key = operation.counters().get(0).key();
    for (Counter counter : operation.counters()) {
      if (!counter.key().equals(key) && servers.place(counter.key()) != place) {
        return false;
      }
    }
    for (PenaltyCounter penalty : operation.penalties()) {
      if (!penalty.key().equals(key) && servers.place(penalty.key()) != place) {
        return false;
      }
    }
    return true;
  }

  /** Whether every server answered when it was last asked. */
  public boolean isReachable() {
    return servers.isReachable();
  }

  /** How many refusals were remembered and given without asking Redis. */
  public long recalledRefusals() {
    return refusals.recalled();
  }

  /** How many decisions Redis was asked for, although a refusal might have been remembered. */
  public long askedDecisions() {
    return refusals.missed();
  }

  /** How the servers are, as of the last look; cheap, asks no server. */
  public RedisHealth health() {
    return new RedisHealth(servers.couriers().stream().map(Courier::health).toList());
  }

  @Override
  public void close() {
    ticker.interrupt();
    awaitTicker();
    client.close();
    servers.close();
  }

  /** So that it does not connect anew while connections are closed. */
  private void awaitTicker() {
    try {
      ticker.join(TimeUnit.SECONDS.toMillis(1));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
