package dev.weir.bench;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.RateLimiter;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** A limiter with a counter for each key, whoever made it. */
sealed interface KeyedLimiter {

  boolean tryAcquire(String key);

  long liveKeys();

  /** Weir, which keeps its own keys. */
  record Weir(RateLimiter limiter) implements KeyedLimiter {
    static Weir of(long maxKeys, String... limits) {
      RateLimiter.Builder builder = RateLimiter.builder().maxKeys(maxKeys);
      for (String limit : limits) {
        builder.limit(limit);
      }
      return new Weir(builder.build());
    }

    @Override
    public boolean tryAcquire(String key) {
      return limiter.tryAcquire(key);
    }

    @Override
    public long liveKeys() {
      // The statistics count a key once for each limit.
      return limiter.statistics().liveKeys() / limiter.limits().size();
    }
  }

  /** A limiter for each key in a {@link ConcurrentHashMap}, which never forgets one. */
  record InMap<T>(ConcurrentHashMap<String, T> cells, Supplier<T> fresh, Predicate<T> call)
      implements KeyedLimiter {
    static <T> InMap<T> of(Supplier<T> fresh, Predicate<T> call) {
      return new InMap<>(new ConcurrentHashMap<>(), fresh, call);
    }

    @Override
    public boolean tryAcquire(String key) {
      // A plain get first: computeIfAbsent takes a lock even for most keys that are there.
      T cell = cells.get(key);
      return call.test(cell != null ? cell : cells.computeIfAbsent(key, k -> fresh.get()));
    }

    @Override
    public long liveKeys() {
      return cells.size();
    }
  }

  /** A limiter for each key in a bounded Caffeine cache. */
  record InCaffeine<T>(Cache<String, T> cells, Supplier<T> fresh, Predicate<T> call)
      implements KeyedLimiter {
    static <T> InCaffeine<T> of(long maxKeys, Supplier<T> fresh, Predicate<T> call) {
      return new InCaffeine<>(
          Caffeine.newBuilder().maximumSize(maxKeys).<String, T>build(), fresh, call);
    }

    @Override
    public boolean tryAcquire(String key) {
      return call.test(cells.get(key, k -> fresh.get()));
    }

    @Override
    public long liveKeys() {
      cells.cleanUp();
      return cells.estimatedSize();
    }
  }
}
