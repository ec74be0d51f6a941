package dev.weir.control.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.database.Database;
import dev.weir.control.database.DatabaseTimeouts;
import dev.weir.control.testing.Databases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What holds for word of changes on every database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ChangeFeedContract {
  /** Only bounds a failure. */
  static final Duration LONG = Duration.ofSeconds(60);

  /** A feed that asks all the time, and so needs no notification. */
  static final ChangeFeed.Intervals POLLING =
      new ChangeFeed.Intervals(Duration.ofMillis(10), Duration.ofMillis(10));

  /** A feed that never asks by itself: what it sees, it was notified of. */
  static final ChangeFeed.Intervals NOTIFIED =
      new ChangeFeed.Intervals(Duration.ofHours(1), Duration.ofMillis(10));

  final Databases databases;
  @TempDir Path folder = Path.of("");

  ChangeFeedContract(Databases databases) {
    this.databases = databases;
  }

  @AfterAll
  void stop() {
    databases.close();
  }

  /** A feed, and what it told. */
  static final class Told implements AutoCloseable {
    final List<ChangeFeed.Seen> all = new CopyOnWriteArrayList<>();
    final ChangeFeed feed;

    Told(Database database, ChangeFeed.Intervals intervals) {
      feed = new ChangeFeed(database, intervals);
      feed.listen(all::add);
      feed.start();
    }

    void await(long version) {
      Awaitility.await()
          .atMost(LONG)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> last() == version);
    }

    long last() {
      return all.isEmpty() ? -1 : all.get(all.size() - 1).version();
    }

    @Override
    public void close() {
      feed.close();
    }
  }

  static long block(Changes changes, String client) {
    return changes.make("alice", (handle, acts) -> ChangesContract.block(handle, acts, client));
  }

  @Test
  void tellsWhatHoldsAndWhatOthersChange() {
    Databases.Source source = databases.migrated(folder);
    try (Database one = source.open();
        Database other = source.open();
        Told told = new Told(other, POLLING)) {
      told.await(0);
      assertThat(told.all).containsExactly(new ChangeFeed.Seen(0, null));
      Changes changes = new Changes(one);
      block(changes, "user:eve");
      told.await(1);
      block(changes, "user:mallory");
      told.await(2);
      assertThat(told.all)
          .containsExactly(
              new ChangeFeed.Seen(0, null),
              new ChangeFeed.Seen(1, List.of("block:user:eve")),
              new ChangeFeed.Seen(2, List.of("block:user:mallory")));
      assertThat(told.feed.lastLook()).isNotNull();
    }
  }

  @Test
  void severalListenersAreToldThoughOneFails() {
    try (Database database = databases.migrated(folder).open()) {
      List<@Nullable List<String>> told = new CopyOnWriteArrayList<>();
      Changes changes = new Changes(database);
      try (ChangeFeed feed = new ChangeFeed(database, NOTIFIED)) {
        feed.listen(
            seen -> {
              throw new IllegalStateException("this one cannot take it");
            });
        feed.listen(seen -> told.add(seen.subjects()));
        changes.onChange(feed::wake);
        feed.start();
        Awaitility.await().atMost(LONG).untilAsserted(() -> assertThat(told).hasSize(1));
        block(changes, "user:eve");
        Awaitility.await()
            .atMost(LONG)
            .untilAsserted(() -> assertThat(told).endsWith(List.of("block:user:eve")));
      }
    }
  }

  @Test
  void changesOfThisProcessAreSeenAtOnce() {
    try (Database database = databases.migrated(folder).open();
        Told told = new Told(database, NOTIFIED)) {
      Changes changes = new Changes(database);
      changes.onChange(told.feed::wake);
      told.await(0);
      for (int i = 1; i <= 5; i++) {
        told.await(block(changes, "user:u" + i));
      }
    }
  }

  @Test
  void aVersionThatWasRaisedByHandSaysThatAnythingMayHaveChanged() {
    try (Database database = databases.migrated(folder).open();
        Told told = new Told(database, POLLING)) {
      told.await(0);
      database
          .jdbi()
          .useHandle(handle -> handle.execute("update config_version set version = version + 1"));
      told.await(1);
      assertThat(told.all).endsWith(new ChangeFeed.Seen(1, null));
      assertThat(told.all.get(1).hasAny("rule")).isTrue();
    }
  }

  @Test
  void tellsWhichKindsChanged() {
    ChangeFeed.Seen seen = new ChangeFeed.Seen(3, List.of("rule:a", "key:7"));
    assertThat(seen.hasAny("rule")).isTrue();
    assertThat(seen.hasAny("tier", "key")).isTrue();
    assertThat(seen.hasAny("tier", "ke")).isFalse();
  }

  @Test
  void aDatabaseThatOpensLateIsFollowedFromThenOn() {
    Databases.Source source = databases.migrated(folder);
    try (Database late = source.openInBackground(DatabaseTimeouts.defaults());
        Told told = new Told(late, NOTIFIED)) {
      told.await(0);
    }
  }
}
