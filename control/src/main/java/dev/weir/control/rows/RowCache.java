package dev.weir.control.rows;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.weir.TimeSource;
import dev.weir.policy.Bookmark;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Rows of the database that requests need, kept in memory. Thread-safe.
 *
 * <p>{@link #find} answers at once with what is known. A row that is not known, or was read long
 * ago, is looked up in the background, and only so many a second, whoever asks for what ({@link
 * LookUps}). Absence is remembered too. When a row is read again, the old one holds until the new
 * one is there. While the database cannot be asked, what is known holds, however old.
 *
 * <p>After {@link #readAll}, if there was room for all rows, a row that is not known is not there:
 * strangers cost no look-up, and nobody waits. For that, {@link #changed} has to be told of every
 * new row. All are read again before they are old, which finds also those that nobody told of.
 *
 * <p>Reads are numbered when they begin, and of two answers that of the later read is kept. So a
 * read that began before a change never undoes what {@link #changed} has read after it.
 *
 * @param <K> what names a row
 * @param <V> what is kept of it
 */
public final class RowCache<K, V> implements AutoCloseable {
  private static final int BATCH = 1_000;
  private static final long CLOSING_SECONDS = 5;

  /** How often a row that is used all the time is said to be. */
  private static final long USED_AGAIN_MICROS = 60_000_000;

  private final Reader<K, V> reader;
  private final Names<K> names;
  private final CacheOptions options;
  private final TimeSource time;
  private final Cache<K, Entry<V>> entries;

  /** Looks at entries without counting that as a use, which would cost more than all else. */
  private final Policy<K, Entry<V>> quietly;

  private final LookUps<K> lookUps;
  private final Health health;
  private final ScheduledThreadPoolExecutor later;

  /** How many reads have begun. */
  private final AtomicLong reads = new AtomicLong();

  /** Rows that have changed and have not been read since. */
  private final Set<K> unread = ConcurrentHashMap.newKeySet();

  /** Whether any row may have changed since all were read. */
  private final AtomicBoolean isAllUnread = new AtomicBoolean();

  /** How many rows have lost their place. */
  private final AtomicLong evicted = new AtomicLong();

  /** Whether all rows that are there are known. */
  private volatile boolean isWhole;

  private @Nullable ScheduledFuture<?> nextReadOfAll;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  /** Reads rows. */
  @FunctionalInterface
  public interface Reader<K, V> {
    /**
     * Those rows that are there.
     *
     * @throws RuntimeException if the database cannot be asked
     */
    Map<K, V> read(Collection<K> keys);
  }

  /** Knows the names of rows. */
  @FunctionalInterface
  public interface Names<K> {
    /**
     * Names of rows that are there; of those that were used last if there are more.
     *
     * @throws RuntimeException if the database cannot be asked
     */
    List<K> first(long most);
  }

  /** A row, or its absence, the number of the read that found it, and when that was. */
  private static final class Entry<V> {
    final RowCache<?, V> cache;
    final @Nullable V value;
    final long read;
    final long atMicros;

    /** Whether a later one is in its place, or none. */
    volatile boolean isOver;

    /** Plain: two threads that both find it old tell of a use twice, which does no harm. */
    long usedMicros;

    Entry(RowCache<?, V> cache, @Nullable V value, long read, long atMicros) {
      this.cache = cache;
      this.value = value;
      this.read = read;
      this.atMicros = atMicros;
      this.usedMicros = atMicros;
    }
  }

  /**
   * An empty cache.
   *
   * @param what such as {@code keys}, for the log and the names of threads
   * @param time what ages are told by
   */
  public RowCache(
      String what, Reader<K, V> reader, Names<K> names, CacheOptions options, TimeSource time) {
    this.reader = reader;
    this.names = names;
    this.options = options;
    this.time = time;
    this.entries =
        Caffeine.newBuilder()
            .maximumSize(options.mostEntries())
            .evictionListener(
                (@Nullable K key, @Nullable Entry<V> entry, RemovalCause cause) ->
                    noteEvicted(entry))
            .build();
    this.quietly = entries.policy();
    this.health = new Health(what);
    this.lookUps = new LookUps<>(what, key -> readAnew(List.of(key)), options, health, time);
    this.later =
        new ScheduledThreadPoolExecutor(1, task -> LookUps.daemon(task, "weir-read-" + what));
    later.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    later.setRemoveOnCancelPolicy(true);
  }

  private void noteEvicted(@Nullable Entry<V> entry) {
    if (entry != null) {
      entry.isOver = true;
    }
    if (entry != null && entry.value != null) {
      evicted.incrementAndGet();
      isWhole = false;
    }
  }

  /**
   * What is known of a row; null if it is not there, or not known yet.
   *
   * @param nowMicros the time by the clock of this cache
   */
  public @Nullable V find(K key, long nowMicros) {
    return found(key, quietly.getIfPresentQuietly(key), nowMicros);
  }

  /** As {@link #find(Object, long)}, for who always asks for this row with this bookmark. */
  public @Nullable V find(K key, Bookmark bookmark, long nowMicros) {
    Entry<V> entry = entryAt(bookmark);
    if (entry == null) {
      entry = quietly.getIfPresentQuietly(key);
      if (entry != null) {
        bookmark.leave(entry);
      }
    }
    return found(key, entry, nowMicros);
  }

  @SuppressWarnings({"unchecked", "ReferenceEquality"}) // An entry of this cache is of its type.
  private @Nullable Entry<V> entryAt(Bookmark bookmark) {
    return bookmark.at() instanceof Entry<?> entry && entry.cache == this && !entry.isOver
        ? (Entry<V>) entry
        : null;
  }

  private @Nullable V found(K key, @Nullable Entry<V> entry, long nowMicros) {
    if (entry == null) {
      misses.increment();
      if (!isWhole) {
        var unused = lookUp(key, nowMicros);
      }
      return null;
    }
    hits.increment();
    if (nowMicros - entry.usedMicros >= USED_AGAIN_MICROS) {
      // What is used stays when others have to go; to say so once a minute is enough for that.
      entry.usedMicros = nowMicros;
      var unused = entries.getIfPresent(key);
    }
    if (!isFresh(entry, nowMicros)) {
      var unused = lookUp(key, nowMicros);
    }
    return entry.value;
  }

  /**
   * Whether waiting a little would help {@link #find}.
   *
   * @return completes, always well, when the row is known or patience is at its end; null if
   *     nothing would be gained
   */
  public @Nullable CompletionStage<?> awaited(K key, long nowMicros) {
    Entry<V> entry = quietly.getIfPresentQuietly(key);
    // For a row that was used lately, the old one will do until it has been read again.
    boolean isKnown =
        entry == null ? isWhole : ageMicros(entry, nowMicros) < 2 * holdsMicros(entry);
    return isKnown ? null : lookUp(key, nowMicros);
  }

  private @Nullable CompletionStage<?> lookUp(K key, long nowMicros) {
    return lookUps.lookUp(key, same -> isFresh(entries.getIfPresent(same), nowMicros));
  }

  private boolean isFresh(@Nullable Entry<V> entry, long nowMicros) {
    return entry != null && ageMicros(entry, nowMicros) < holdsMicros(entry);
  }

  private static long ageMicros(Entry<?> entry, long nowMicros) {
    return nowMicros - entry.atMicros;
  }

  private long holdsMicros(Entry<V> entry) {
    return TimeUnit.NANOSECONDS.toMicros(
        (entry.value == null ? options.absenceHolds() : options.holds()).toNanos());
  }

  /**
   * Reads these rows, before it returns. If the database cannot be asked, what is known holds, and
   * it is tried again every second.
   */
  public void changed(Collection<K> keys) {
    unread.addAll(keys);
    readChanged();
  }

  /** As {@link #changed}, of all rows that there is room for, and of all that are known. */
  public void readAll() {
    isAllUnread.set(true);
    readChanged();
  }

  private void readChanged() {
    boolean readsAll = isAllUnread.getAndSet(false);
    List<K> changed = List.copyOf(unread);
    // Before they are read: what changes again meanwhile has to be read again.
    changed.forEach(unread::remove);
    try {
      if (readsAll) {
        loadAll();
      }
      load(changed);
    } catch (RuntimeException failure) {
      health.failed(failure);
      unread.addAll(changed);
      isAllUnread.compareAndSet(false, readsAll);
      var unused = runLater(this::readChanged, 1_000);
    }
  }

  private synchronized void loadAll() {
    long most = options.mostEntries();
    List<K> rows = names.first(most + 1);
    boolean isRoom = rows.size() <= most;
    Set<K> keys = new LinkedHashSet<>(isRoom ? rows : rows.subList(0, (int) most));
    Set<K> others = new HashSet<>(entries.asMap().keySet());
    others.removeAll(keys);
    if (isRoom) {
      // That they are not there need not be kept any more.
      others.removeIf(this::forgetAbsence);
    }
    keys.addAll(others);
    keys.addAll(lookUps.underWay());
    isWhole &= isRoom;
    long evictedBefore = evicted.get();
    load(List.copyOf(keys));
    isWhole = isRoom;
    if (evicted.get() != evictedBefore) {
      isWhole = false;
    }
    if (nextReadOfAll != null) {
      nextReadOfAll.cancel(false);
    }
    nextReadOfAll = runLater(this::readAll, options.holds().dividedBy(2).toMillis());
  }

  /** Forgets that there was no such row; returns whether it is forgotten. */
  private boolean forgetAbsence(K key) {
    return entries
            .asMap()
            .computeIfPresent(
                key,
                (same, entry) -> {
                  entry.isOver = entry.value == null;
                  return entry.isOver ? null : entry;
                })
        == null;
  }

  private @Nullable ScheduledFuture<?> runLater(Runnable task, long millis) {
    try {
      return later.schedule(task, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      // Nobody needs it any more.
      return null;
    }
  }

  private void load(List<K> keys) {
    for (int i = 0; i < keys.size(); i += BATCH) {
      readAnew(keys.subList(i, Math.min(keys.size(), i + BATCH)));
    }
  }

  private void readAnew(Collection<K> keys) {
    long read = reads.incrementAndGet();
    Map<K, V> rows = reader.read(keys);
    health.worked();
    long nowMicros = time.nowMicros();
    for (K key : keys) {
      entries
          .asMap()
          .merge(key, new Entry<>(this, rows.get(key), read, nowMicros), RowCache::later);
    }
  }

  private static <V> Entry<V> later(Entry<V> known, Entry<V> found) {
    known.isOver = known.read <= found.read;
    return known.isOver ? found : known;
  }

  /** How it does. */
  public CacheStatistics statistics() {
    return new CacheStatistics(
        entries.estimatedSize(),
        hits.sum(),
        misses.sum(),
        lookUps.begun(),
        lookUps.refused(),
        health.isDown());
  }

  /** Looks nothing up any more; what is known stays. */
  @Override
  public void close() {
    later.shutdown();
    try {
      lookUps.close(CLOSING_SECONDS);
      later.awaitTermination(CLOSING_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
