package dev.weir.redis;

import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.Operation;
import dev.weir.TimeSource;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Counters on a Redis server that a fleet shares: the decisions of {@code docs/semantics.md}, each
 * in one call, by the server's clock.
 *
 * <p>Answers come on a thread of the Redis client, which must not be blocked. An operation whose
 * answer does not come in time fails with a {@link RedisStoreException} and is never sent again.
 * While the server does not answer, operations fail at once; as soon as it answers, it is asked
 * again. Redis need not be there at the start.
 */
public final class RedisCounterStore implements CounterStore {
  private static final System.Logger LOGGER = System.getLogger(RedisCounterStore.class.getName());

  private static final long TICK_MILLIS = 5;

  private final Courier courier;
  private final Thread ticker = new Thread(this::tick, "weir-redis");

  private RedisCounterStore(RedisURI uri, RedisOptions options, @Nullable TimeSource time) {
    courier =
        new Courier(
            new LettuceConnection.Factory(uri, options),
            new KeyNames(options.keyPrefix()),
            new ServerClock(time),
            options);
    ticker.setDaemon(true);
    ticker.start();
  }

  private void tick() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        courier.tick();
        Thread.sleep(TICK_MILLIS);
      }
    } catch (InterruptedException closed) {
      // close() ends the thread so.
    }
  }

  /** Waits for the first connection; without one, the store goes on trying. */
  private void awaitFirstTry(RedisOptions options) {
    try {
      courier.firstTry().get(options.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException late) {
      LOGGER.log(System.Logger.Level.DEBUG, "the first connection takes long", late);
    }
  }

  /**
   * A store on one server. Waits for the connection, but not longer than it may take.
   *
   * @param uri such as {@code redis://localhost:6379/1}, {@code rediss://} for TLS, or {@code
   *     redis-sentinel://host:port,host:port#master}; user and password, if any, as in {@code
   *     redis://user:password@host}, special characters written as {@code %40}
   * @throws IllegalArgumentException if the URI or the trust store cannot be read
   */
  public static RedisCounterStore open(String uri, RedisOptions options) {
    return opened(uri, options, null);
  }

  /** For tests: a store whose server takes that for the time. */
  static RedisCounterStore openAt(TimeSource time, String uri, RedisOptions options) {
    return opened(uri, options, time);
  }

  private static RedisCounterStore opened(
      String uri, RedisOptions options, @Nullable TimeSource time) {
    RedisCounterStore store = new RedisCounterStore(read(uri), options, time);
    store.awaitFirstTry(options);
    return store;
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

  @Override
  public CompletionStage<Decision> apply(Operation operation) {
    Asked asked = new Asked(operation);
    courier.bring(asked);
    return asked.answer;
  }

  /** Whether the server answered when it was last asked. */
  public boolean isReachable() {
    return courier.isTrusted();
  }

  /** How the servers are, as of the last look; cheap, asks no server. */
  public RedisHealth health() {
    return new RedisHealth(List.of(courier.health()));
  }

  /** Says what else to do when counters were lost; must not block. */
  void onLoss(Runnable hook) {
    courier.caretaker().onLoss(hook);
  }

  @Override
  public void close() {
    ticker.interrupt();
    courier.close();
  }
}
