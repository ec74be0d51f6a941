package dev.weir;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Says whether a request may pass, under one or more limits, for each key on its own.
 *
 * <pre>{@code
 * RateLimiter limiter = RateLimiter.of("10/s", "1000/h");
 * if (limiter.tryAcquire("alice")) { … }
 * }</pre>
 *
 * <p>All limits are applied together or not at all: a refused request consumes from none. Without a
 * key, which is the same as with an empty one, all requests share one counter.
 *
 * <p>Thread-safe. Methods without a maximum wait never wait for permits.
 */
public final class RateLimiter {
  private static final System.Logger LOGGER = System.getLogger(RateLimiter.class.getName());
  private static final String NO_KEY = "";

  private final LimiterStore store;
  private final List<DecisionListener> listeners;
  private final boolean isObserved;
  private final WaitingLine line;

  /** The way of {@code tryAcquire} if the store is in memory and the limits are not changing. */
  private volatile @Nullable MemoryPath memory;

  private RateLimiter(Builder builder) {
    CounterStore used = builder.storeToUse();
    this.store = new LimiterStore(builder.name, used, builder.penalty, builder.limits);
    this.listeners = List.copyOf(builder.listeners);
    this.isObserved = !listeners.isEmpty();
    this.line = new WaitingLine(builder.timeToWaitBy(used), store, this::tell);
    this.memory = store.memoryPath();
  }

  /** A limiter in memory, on the system's clock, under the limits with these texts. */
  public static RateLimiter of(String... limits) {
    Builder builder = builder();
    for (String limit : limits) {
      builder.limit(limit);
    }
    return builder.build();
  }

  /** A limiter in memory, on the system's clock, under these limits. */
  public static RateLimiter of(Limit... limits) {
    Builder builder = builder();
    for (Limit limit : limits) {
      builder.limit(limit);
    }
    return builder.build();
  }

  /** Starts a limiter with options. */
  public static Builder builder() {
    return new Builder();
  }

  /** Whether a request of that key passes; consumes one permit of each limit if it does. */
  public boolean tryAcquire(String key) {
    return tryAcquire(key, 1);
  }

  /** Whether a request of that key and cost passes; consumes the cost if it does. */
  public boolean tryAcquire(String key, long cost) {
    MemoryPath direct = memory;
    if (direct == null || isObserved || !line.isEmpty()) {
      return acquire(key, cost).allowed();
    }
    requireCost(cost);
    return direct.tryAcquire(key, cost);
  }

  /** {@link #tryAcquire(String)} without a key. */
  public boolean tryAcquire() {
    return tryAcquire(1);
  }

  /** {@link #tryAcquire(String, long)} without a key. */
  public boolean tryAcquire(long cost) {
    MemoryPath direct = memory;
    if (direct == null || isObserved || !line.isEmpty()) {
      return acquire(NO_KEY, cost).allowed();
    }
    requireCost(cost);
    return direct.tryAcquire(cost);
  }

  /** Decides a request of that key; consumes one permit of each limit if it passes. */
  public Decision acquire(String key) {
    return acquire(key, 1);
  }

  /** Decides a request of that key and cost; consumes the cost if it passes. */
  public Decision acquire(String key, long cost) {
    long ahead = line.costAhead(key);
    Decision decision =
        ahead == 0
            ? store.apply(store.acquire(key, cost))
            : peek(key, store.behindOthers(ahead, cost)).refusedForOthers();
    return tell(key, cost, decision);
  }

  /** {@link #acquire(String)} without a key. */
  public Decision acquire() {
    return acquire(NO_KEY, 1);
  }

  /** {@link #acquire(String, long)} without a key. */
  public Decision acquire(long cost) {
    return acquire(NO_KEY, cost);
  }

  /**
   * Decides a request of that key and cost, waiting for its permits as long as it takes, but not
   * beyond {@code maxWait}: a request that cannot pass by then is refused at once. Requests that
   * wait are served in the order in which they came, whatever their cost.
   */
  public Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException {
    CompletableFuture<Decision> due = acquireAsync(key, cost, maxWait);
    try {
      return due.get();
    } catch (InterruptedException interrupted) {
      if (!due.cancel(false)
          && !due.isCompletedExceptionally()
          && due.join().allowed()
          && cost > 0) {
        refund(key, cost);
      }
      throw interrupted;
    } catch (ExecutionException failed) {
      throw LimiterStore.unwrapped(failed.getCause());
    }
  }

  /** {@link #acquire(String, long, Duration)} without a key. */
  public Decision acquire(long cost, Duration maxWait) throws InterruptedException {
    return acquire(NO_KEY, cost, maxWait);
  }

  /**
   * As {@link #acquire(String, long, Duration)}, but blocks no thread: completes when the permits
   * are due and taken, or with a refusal. Cancelling it gives up the place in the line.
   */
  public CompletableFuture<Decision> acquireAsync(String key, long cost, Duration maxWait) {
    Objects.requireNonNull(key, "key");
    requireCost(cost);
    if (maxWait.isNegative() || maxWait.compareTo(Period.LONGEST) > 0) {
      throw new IllegalArgumentException("maxWait must be between 0 and 366d, got " + maxWait);
    }
    return line.await(key, cost, Micros.roundedUp(maxWait));
  }

  /** {@link #acquireAsync(String, long, Duration)} without a key. */
  public CompletableFuture<Decision> acquireAsync(long cost, Duration maxWait) {
    return acquireAsync(NO_KEY, cost, maxWait);
  }

  /** How a request of that key would be decided now; consumes nothing. */
  public Decision peek(String key) {
    return peek(key, 1);
  }

  /** How a request of that key and cost would be decided now; consumes nothing. */
  public Decision peek(String key, long cost) {
    return store.apply(store.peek(key, cost));
  }

  /** {@link #peek(String)} without a key. */
  public Decision peek() {
    return peek(NO_KEY, 1);
  }

  /** {@link #peek(String, long)} without a key. */
  public Decision peek(long cost) {
    return peek(NO_KEY, cost);
  }

  /**
   * Gives back what a request of that key consumed: never above capacity. Requests that wait may
   * pass earlier by that. Returns how it stands.
   */
  public Decision refund(String key, long cost) {
    Decision standing = store.apply(store.refund(key, cost));
    line.wake(key);
    return standing;
  }

  /** {@link #refund(String, long)} without a key. */
  public Decision refund(long cost) {
    return refund(NO_KEY, cost);
  }

  /** Forgets what that key has used, and its penalties. Returns how it stands. */
  public Decision reset(String key) {
    Decision standing = store.apply(store.reset(key));
    line.wake(key);
    return standing;
  }

  /** {@link #reset(String)} without a key. */
  public Decision reset() {
    return reset(NO_KEY);
  }

  /** The limits that hold now. */
  public List<Limit> limits() {
    return store.limits();
  }

  /**
   * Replaces the limits from now on. What was used stays used: the first limit takes over the
   * counters of the first before it, and so on.
   */
  public void changeLimits(Limit... limits) {
    synchronized (store) {
      // While they change there is one way only, so that all requests see the change at once.
      memory = null;
      try {
        store.changeLimits(List.of(limits));
      } finally {
        memory = store.memoryPath();
      }
    }
    line.wakeAll();
  }

  /** How full the counters are. */
  public MemoryStatistics statistics() {
    if (store.store instanceof MemoryCounterStore inMemory) {
      return inMemory.statistics();
    }
    throw new IllegalStateException(
        "statistics are kept by stores in memory only, and this limiter's is "
            + store.store.getClass().getSimpleName());
  }

  @SuppressWarnings("CatchingUnchecked") // A listener may throw anything; the decision stands.
  private Decision tell(String key, long cost, Decision decision) {
    for (DecisionListener listener : listeners) {
      try {
        listener.decided(key, cost, decision);
      } catch (Exception | Error failure) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "a decision listener failed; the decision stands",
            failure);
      }
    }
    return decision;
  }

  private static void requireCost(long cost) {
    if (cost < 0) {
      throw new IllegalArgumentException("cost must be at least 0, got " + cost);
    }
  }

  /** The options of a limiter; only a limit is required. */
  public static final class Builder {
    private final List<Limit> limits = new ArrayList<>();
    private final List<DecisionListener> listeners = new ArrayList<>();
    private String name = "limiter";
    private @Nullable CounterStore store;
    private @Nullable Penalty penalty;
    private @Nullable TimeSource time;
    private @Nullable Long maxKeys;

    private Builder() {}

    /** Adds a limit by its text, for example {@code 100/s}. */
    public Builder limit(String text) {
      return limit(Limit.parse(text));
    }

    /** Adds a limit. */
    public Builder limit(Limit limit) {
      limits.add(Objects.requireNonNull(limit, "limit"));
      return this;
    }

    /** Penalises keys that are refused again and again. */
    public Builder penalty(Penalty penalty) {
      this.penalty = Objects.requireNonNull(penalty, "penalty");
      return this;
    }

    /** The name of the counters; limiters of one name on one store share them. */
    public Builder name(String name) {
      this.name = Objects.requireNonNull(name, "name");
      return this;
    }

    /** Keeps the counters there instead of in a store of this limiter's own. */
    public Builder store(CounterStore store) {
      this.store = Objects.requireNonNull(store, "store");
      return this;
    }

    /**
     * The clock that the limiter counts and waits by; with a store given, only waits by. Default:
     * that of a given store in memory, else {@link TimeSource#system()}.
     */
    public Builder time(TimeSource time) {
      this.time = Objects.requireNonNull(time, "time");
      return this;
    }

    /** The most keys that have a counter of their own, in a store of this limiter's own. */
    public Builder maxKeys(long maxKeys) {
      this.maxKeys = maxKeys;
      return this;
    }

    /** Adds one that is told of every decision. */
    public Builder listener(DecisionListener listener) {
      listeners.add(Objects.requireNonNull(listener, "listener"));
      return this;
    }

    /** The limiter. */
    public RateLimiter build() {
      return new RateLimiter(this);
    }

    private CounterStore storeToUse() {
      if (store == null) {
        return new MemoryCounterStore(
            time == null ? TimeSource.system() : time,
            maxKeys == null ? MemoryCounterStore.DEFAULT_MAX_KEYS : maxKeys);
      }
      if (maxKeys != null) {
        throw new IllegalArgumentException(
            "maxKeys is for a store of the limiter's own, got it with a store; set it there");
      }
      return store;
    }

    private TimeSource timeToWaitBy(CounterStore used) {
      if (time != null) {
        return time;
      }
      return used instanceof MemoryCounterStore memory ? memory.time() : TimeSource.system();
    }
  }
}
