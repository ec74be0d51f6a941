package dev.weir.control.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.Bookmark;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RowCacheTest {
  private static final CacheOptions OPTIONS =
      CacheOptions.defaults().withLookUpsPerSecond(20).withPatience(Duration.ofSeconds(30));

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final Map<String, String> rows = new ConcurrentHashMap<>(Map.of("a", "1", "b", "2"));
  private final AtomicInteger reads = new AtomicInteger();
  private final List<AutoCloseable> opened = new ArrayList<>();
  private volatile boolean isDown;

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  private RowCache<String, String> cache(CacheOptions options) {
    return cache(this::read, options);
  }

  private RowCache<String, String> cache(
      RowCache.Reader<String, String> reader, CacheOptions options) {
    RowCache<String, String> cache = new RowCache<>("rows", reader, this::names, options, time);
    opened.add(cache);
    return cache;
  }

  private List<String> names(long most) {
    return rows.keySet().stream().sorted().limit(most).toList();
  }

  private Map<String, String> read(Collection<String> keys) {
    reads.incrementAndGet();
    if (isDown) {
      throw new IllegalStateException("gone");
    }
    Map<String, String> found = new HashMap<>(rows);
    found.keySet().retainAll(keys);
    return found;
  }

  private @Nullable String find(RowCache<String, String> cache, String key) {
    return cache.find(key, time.nowMicros());
  }

  private @Nullable CompletionStage<?> awaited(RowCache<String, String> cache, String key) {
    return cache.awaited(key, time.nowMicros());
  }

  /** What is known once there is nothing to wait for. */
  private @Nullable String waitAndFind(RowCache<String, String> cache, String key) {
    CompletionStage<?> stage = awaited(cache, key);
    if (stage != null) {
      stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
    return find(cache, key);
  }

  private static void await(Runnable assertion) {
    Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(assertion::run);
  }

  @Test
  void aRowIsLookedUpOnceAndThenKnown() {
    RowCache<String, String> cache = cache(OPTIONS);
    assertThat(find(cache, "a")).isNull();
    assertThat(waitAndFind(cache, "a")).isEqualTo("1");
    for (int i = 0; i < 100; i++) {
      assertThat(find(cache, "a")).isEqualTo("1");
      assertThat(awaited(cache, "a")).isNull();
    }
    assertThat(reads).hasValue(1);
    assertThat(cache.statistics()).isEqualTo(new CacheStatistics(1, 101, 1, 1, 0, false));
  }

  @Test
  void absenceIsRememberedForAShorterTime() {
    RowCache<String, String> cache = cache(OPTIONS);
    assertThat(waitAndFind(cache, "x")).isNull();
    rows.put("x", "9");
    time.advance(Duration.ofSeconds(59));
    assertThat(waitAndFind(cache, "x")).isNull();
    assertThat(reads).hasValue(1);
    time.advance(Duration.ofSeconds(1));
    assertThat(find(cache, "x")).isNull();
    await(() -> assertThat(find(cache, "x")).isEqualTo("9"));
    assertThat(reads).hasValue(2);
  }

  @Test
  void anOldRowHoldsUntilItHasBeenReadAgain() {
    RowCache<String, String> cache = cache(OPTIONS);
    assertThat(waitAndFind(cache, "a")).isEqualTo("1");
    rows.put("a", "new");
    time.advance(Duration.ofMinutes(10).minusMillis(1));
    assertThat(find(cache, "a")).isEqualTo("1");
    assertThat(reads).hasValue(1);
    time.advance(Duration.ofMillis(1));
    assertThat(awaited(cache, "a")).as("nobody waits for a row that was used lately").isNull();
    assertThat(find(cache, "a")).isIn("1", "new");
    await(() -> assertThat(find(cache, "a")).isEqualTo("new"));
    assertThat(reads).hasValue(2);
  }

  @Test
  void aVeryOldRowIsWorthWaiting() {
    RowCache<String, String> cache = cache(OPTIONS);
    assertThat(waitAndFind(cache, "a")).isEqualTo("1");
    rows.remove("a");
    time.advance(Duration.ofMinutes(20));
    assertThat(waitAndFind(cache, "a")).isNull();
  }

  @Test
  void manyWhoAskAtOnceMakeOneLookUp() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    RowCache<String, String> cache =
        cache(
            keys -> {
              join(go);
              return read(keys);
            },
            OPTIONS);
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try {
      List<Future<@Nullable String>> answers = new ArrayList<>();
      for (int i = 0; i < 400; i++) {
        answers.add(threads.submit(() -> waitAndFind(cache, "a")));
      }
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> cache.statistics().lookUps() == 1);
      go.countDown();
      for (Future<@Nullable String> answer : answers) {
        assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo("1");
      }
      assertThat(reads).hasValue(1);
    } finally {
      threads.shutdownNow();
    }
  }

  private static void join(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void strangersMakeAFewLookUpsASecondAndLeaveNothingBeyondThem() {
    RowCache<String, String> cache = cache(OPTIONS);
    for (int i = 0; i < 50_000; i++) {
      assertThat(find(cache, "stranger-" + i)).isNull();
    }
    await(() -> assertThat(reads).hasValue(20));
    assertThat(find(cache, "a")).as("no look-up is left for this one").isNull();
    assertThat(awaited(cache, "a")).isNull();
    await(() -> assertThat(cache.statistics().entries()).isEqualTo(20));
    assertThat(cache.statistics().refused()).isEqualTo(49_980 + 2);
    time.advance(Duration.ofSeconds(1));
    assertThat(waitAndFind(cache, "a")).as("it was not taken for absent").isEqualTo("1");
  }

  @Test
  void thereIsABoundOnWhatIsKept() {
    RowCache<String, String> cache = cache(OPTIONS.withMostEntries(50).withLookUpsPerSecond(500));
    assertThat(waitAndFind(cache, "a")).isEqualTo("1");
    for (int second = 0; second < 10; second++) {
      for (int i = 0; i < 100; i++) {
        find(cache, "stranger-" + second + "-" + i);
      }
      time.advance(Duration.ofSeconds(1));
    }
    await(() -> assertThat(cache.statistics().entries()).isLessThanOrEqualTo(50));
    await(() -> assertThat(waitAndFind(cache, "a")).isEqualTo("1"));
  }

  @Test
  @DisplayName("T64: what is known holds while the database is gone, however old")
  void whatIsKnownHoldsWhileTheDatabaseIsGone() {
    RowCache<String, String> cache = cache(OPTIONS);
    assertThat(waitAndFind(cache, "a")).isEqualTo("1");
    isDown = true;
    time.advance(Duration.ofDays(1));
    assertThat(find(cache, "a")).isEqualTo("1");
    await(() -> assertThat(cache.statistics().isDown()).isTrue());
    int readsBefore = reads.get();
    for (int i = 0; i < 1_000; i++) {
      assertThat(find(cache, "a")).isEqualTo("1");
      assertThat(awaited(cache, "a")).as("nobody waits for a database that is gone").isNull();
      assertThat(awaited(cache, "b")).isNull();
    }
    assertThat(reads.get()).isLessThanOrEqualTo(readsBefore + 3);
    isDown = false;
    rows.put("a", "new");
    await(() -> assertThat(find(cache, "a")).isEqualTo("new"));
    assertThat(cache.statistics().isDown()).isFalse();
  }

  @Test
  void aRequestWaitsNoLongerThanItsPatience() {
    CountDownLatch go = new CountDownLatch(1);
    RowCache<String, String> cache =
        cache(
            keys -> {
              join(go);
              return read(keys);
            },
            OPTIONS.withPatience(Duration.ofMillis(500)));
    CompletionStage<?> stage = Objects.requireNonNull(awaited(cache, "a"));
    stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).join();
    assertThat(find(cache, "a")).isNull();
    assertThat(awaited(cache, "a")).as("all have waited for this one long enough").isNull();
    go.countDown();
    await(() -> assertThat(find(cache, "a")).isEqualTo("1"));
    assertThat(reads).hasValue(1);
  }

  @Test
  void whatHasChangedIsReadAtOnce() {
    RowCache<String, String> cache = cache(OPTIONS);
    assertThat(waitAndFind(cache, "a")).isEqualTo("1");
    assertThat(waitAndFind(cache, "x")).isNull();
    rows.putAll(Map.of("a", "new", "x", "9", "b", "unasked"));
    cache.changed(List.of("a", "x", "b"));
    assertThat(find(cache, "a")).isEqualTo("new");
    assertThat(find(cache, "x")).isEqualTo("9");
    assertThat(find(cache, "b")).as("also what nobody has asked for").isEqualTo("unasked");
    assertThat(reads).hasValue(3);
    rows.remove("a");
    rows.put("x", "10");
    cache.readAll();
    assertThat(find(cache, "a")).isNull();
    assertThat(find(cache, "x")).isEqualTo("10");
  }

  @Test
  void aBookmarkLeadsToTheRowAsItIs() {
    RowCache<String, String> cache = cache(OPTIONS);
    cache.readAll();
    Bookmark bookmark = new Bookmark();
    assertThat(cache.find("a", bookmark, time.nowMicros())).isEqualTo("1");
    assertThat(bookmark.at()).isNotNull();
    assertThat(cache.find("a", bookmark, time.nowMicros())).isEqualTo("1");
    rows.put("a", "3");
    cache.changed(List.of("a"));
    assertThat(cache.find("a", bookmark, time.nowMicros())).isEqualTo("3");
    rows.remove("a");
    cache.changed(List.of("a"));
    assertThat(cache.find("a", bookmark, time.nowMicros())).isNull();
    // Its absence is forgotten by this, and then it is back.
    cache.readAll();
    rows.put("a", "4");
    cache.changed(List.of("a"));
    assertThat(cache.find("a", bookmark, time.nowMicros())).isEqualTo("4");
  }

  @Test
  void aBookmarkOfAnotherCacheLeadsNowhere() {
    RowCache<String, String> one = cache(OPTIONS);
    RowCache<String, String> other = cache(keys -> Map.of("a", "other"), OPTIONS);
    one.readAll();
    other.readAll();
    Bookmark bookmark = new Bookmark();
    assertThat(one.find("a", bookmark, time.nowMicros())).isEqualTo("1");
    assertThat(other.find("a", bookmark, time.nowMicros())).isEqualTo("other");
    assertThat(one.find("a", bookmark, time.nowMicros())).isEqualTo("1");
  }

  /** Its row is looked up again, as that of anybody who comes without a bookmark. */
  @Test
  void aBookmarkDoesNotLeadToARowThatLostItsPlace() {
    RowCache<String, String> cache = cache(OPTIONS.withMostEntries(10));
    Map<String, Bookmark> bookmarks = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      String row = "row-" + i;
      rows.put(row, "old");
      cache.changed(List.of(row));
      Bookmark bookmark = new Bookmark();
      cache.find(row, bookmark, time.nowMicros());
      bookmarks.put(row, bookmark);
    }
    rows.replaceAll((row, old) -> "new");
    await(() -> assertThat(cache.statistics().entries()).isLessThanOrEqualTo(10));
    List<@Nullable String> found = new ArrayList<>();
    bookmarks.forEach((row, bookmark) -> found.add(cache.find(row, bookmark, time.nowMicros())));
    assertThat(found.stream().filter("old"::equals)).hasSizeLessThanOrEqualTo(10);
  }

  @Test
  void whoIsAStrangerToAllRowsIsNotLookedUp() {
    RowCache<String, String> cache = cache(OPTIONS);
    assertThat(waitAndFind(cache, "x")).isNull();
    cache.readAll();
    assertThat(find(cache, "a")).isEqualTo("1");
    for (int i = 0; i < 10_000; i++) {
      assertThat(find(cache, "stranger-" + i)).isNull();
      assertThat(awaited(cache, "stranger-" + i)).isNull();
    }
    assertThat(cache.statistics().lookUps()).as("only that of x").isEqualTo(1);
    assertThat(cache.statistics().refused()).isZero();
    rows.put("new", "3");
    cache.changed(List.of("new"));
    assertThat(find(cache, "new")).isEqualTo("3");
  }

  @Test
  void strangersAreLookedUpWhereThereIsNoRoomForAllRows() {
    for (int i = 0; i < 100; i++) {
      rows.put("row-" + i, "old");
    }
    RowCache<String, String> cache = cache(OPTIONS.withMostEntries(50));
    cache.readAll();
    assertThat(find(cache, "a")).isEqualTo("1");
    assertThat(waitAndFind(cache, "row-99")).isEqualTo("old");
    assertThat(cache.statistics().lookUps()).isEqualTo(1);
  }

  @Test
  void rowsThatLoseTheirPlaceAreLookedUpAgain() {
    RowCache<String, String> cache = cache(OPTIONS.withMostEntries(50));
    cache.readAll();
    for (int i = 0; i < 100; i++) {
      rows.put("row-" + i, "old");
      cache.changed(List.of("row-" + i));
    }
    await(() -> assertThat(cache.statistics().entries()).isLessThanOrEqualTo(50));
    for (int i = 0; i < 100; i++) {
      assertThat(waitAndFind(cache, "row-" + i)).isEqualTo("old");
      time.advance(Duration.ofSeconds(1));
    }
  }

  @Test
  void allRowsAreReadOnceTheyCanBe() {
    RowCache<String, String> cache = cache(OPTIONS);
    isDown = true;
    cache.readAll();
    assertThat(find(cache, "a")).isNull();
    isDown = false;
    await(() -> assertThat(find(cache, "a")).isEqualTo("1"));
  }

  @Test
  void aChangeThatCannotBeReadIsReadLater() {
    RowCache<String, String> cache = cache(OPTIONS);
    assertThat(waitAndFind(cache, "a")).isEqualTo("1");
    isDown = true;
    rows.put("a", "new");
    cache.changed(List.of("a"));
    assertThat(find(cache, "a")).isEqualTo("1");
    assertThat(cache.statistics().isDown()).isTrue();
    isDown = false;
    await(() -> assertThat(find(cache, "a")).isEqualTo("new"));
    assertThat(cache.statistics().lookUps()).isEqualTo(1);
  }

  @Test
  void manyRowsAreReadTogether() {
    RowCache<String, String> cache = cache(OPTIONS);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      rows.put("row-" + i, "old");
      all.add("row-" + i);
    }
    cache.changed(all);
    assertThat(reads).hasValue(3);
    rows.replaceAll((key, value) -> "new");
    cache.readAll();
    assertThat(reads).hasValue(6);
    assertThat(all).allSatisfy(key -> assertThat(find(cache, key)).isEqualTo("new"));
  }

  @Test
  void aReadThatBeganBeforeAChangeDoesNotUndoIt() {
    CompletableFuture<Boolean> hasRead = new CompletableFuture<>();
    CountDownLatch go = new CountDownLatch(1);
    RowCache<String, String> cache =
        cache(
            keys -> {
              Map<String, String> found = read(keys);
              if (hasRead.complete(true)) {
                join(go);
              }
              return found;
            },
            OPTIONS);
    assertThat(find(cache, "a")).isNull();
    hasRead.orTimeout(20, TimeUnit.SECONDS).join();
    rows.remove("a");
    cache.changed(List.of("a"));
    go.countDown();
    // Returns when the first read is over.
    cache.close();
    assertThat(find(cache, "a")).isNull();
    assertThat(reads).hasValue(2);
  }

  @Test
  void optionsAreChecked() {
    assertThatThrownBy(() -> OPTIONS.withMostEntries(0))
        .hasMessage("mostEntries must be at least 1, got 0");
    assertThatThrownBy(() -> OPTIONS.withLookUpsPerSecond(10_001))
        .hasMessage("lookUpsPerSecond must be between 1 and 10000, got 10001");
  }
}
