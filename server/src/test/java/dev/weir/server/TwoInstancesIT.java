package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.postgres.PostgresServer;
import dev.weir.testkit.process.Signals;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is changed on one of two instances with one database, as the other decides. */
class TwoInstancesIT {
  private static final int CHANGES = Integer.getInteger("weir.changes", 25);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration LATEST = Duration.ofSeconds(10);
  private static final String USUAL_LIMIT = "1000000";

  @TempDir private static Path folder = Path.of("");

  private static PostgresServer postgres;
  private static RedisServer redis;
  private static PostgresDatabase database;
  private static Instance one;
  private static Instance other;

  @BeforeAll
  static void start() {
    postgres = PostgresServer.start(PostgresServer.Version.V18);
    redis = RedisServer.start();
    database = PostgresDatabase.create(postgres, "weir");
    one = instance("one");
    other = instance("other");
    awaitListeners();
  }

  private static Instance instance(String name) {
    return Instance.start(
        folder.resolve(name),
        """
        [counters]
        backend = "redis"

        [redis]
        url = "%s"

        [default]
        limit = %s
        window = "1h"

        %s"""
            .formatted(redis.uri(), USUAL_LIMIT, database.toml()));
  }

  @AfterAll
  static void stop() {
    other.close();
    one.close();
    redis.close();
    postgres.close();
  }

  private static void awaitListeners() {
    Awaitility.await().atMost(LATEST).until(() -> database.listeners().size() == 2);
  }

  /** Makes changes on one instance and the other in turn; how long each took to be in force. */
  private static List<Duration> changes(int count) {
    List<Duration> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean isOnOne = i % 2 == 0;
      all.addAll(inForce(List.of(i), isOnOne ? one : other, isOnOne ? other : one));
    }
    return all;
  }

  /** Makes changes on one instance; how long each took from then on to be in force on another. */
  private static List<Duration> inForce(List<Integer> numbers, Instance changed, Instance asked) {
    List<VisibleChange> changes =
        numbers.stream().map(number -> VisibleChange.of(number, changed, USUAL_LIMIT)).toList();
    List<Long> acknowledged = new ArrayList<>();
    for (VisibleChange change : changes) {
      Awaitility.await(change.what())
          .atMost(PATIENCE)
          .until(() -> change.look().apply(asked).equals(change.before()));
    }
    for (VisibleChange change : changes) {
      change.make().run();
      acknowledged.add(System.nanoTime());
    }
    List<Duration> all = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      all.add(awaitAfter(changes.get(i), asked, acknowledged.get(i)));
      assertThat(changes.get(i).look().apply(changed)).isEqualTo(changes.get(i).after());
    }
    return all;
  }

  private static Duration awaitAfter(VisibleChange change, Instance asked, long startNanos) {
    Duration took = Duration.ZERO;
    String seen = change.before();
    while (!seen.equals(change.after()) && took.compareTo(PATIENCE) < 0) {
      seen = change.look().apply(asked);
      took = Duration.ofNanos(System.nanoTime() - startNanos);
    }
    assertThat(seen).as(change.what()).isEqualTo(change.after());
    return took;
  }

  /** A rule, a block and a revoked key at once, on one instance and then on the other. */
  private static List<Duration> sixChanges(int first) {
    List<Duration> all = new ArrayList<>();
    all.addAll(inForce(List.of(first, first + 1, first + 4), one, other));
    all.addAll(inForce(List.of(first + 5, first + 6, first + 9), other, one));
    return all;
  }

  private static Duration percentile(List<Duration> all, int percent) {
    List<Duration> sorted = all.stream().sorted().toList();
    return sorted.get((sorted.size() * percent + 99) / 100 - 1);
  }

  private static void print(String how, List<Duration> all) {
    System.out.printf(
        "two instances, %s: %d changes in force on the other after p50 %d ms, p99 %d ms, max %d ms%n",
        how,
        all.size(),
        percentile(all, 50).toMillis(),
        percentile(all, 99).toMillis(),
        percentile(all, 100).toMillis());
  }

  @Test
  void aChangeOnOneIsInForceOnTheOtherWithinASecond() {
    List<Duration> all = changes(CHANGES);

    print("with word of changes", all);
    assertThat(percentile(all, 99)).isLessThan(Duration.ofSeconds(1));
    assertSameVersion();
  }

  /** An operator sees from outside that no instance is behind. */
  private static void assertSameVersion() {
    Awaitility.await().atMost(LATEST).until(() -> version(one) == version(other));
    assertThat(version(one)).isGreaterThanOrEqualTo(3);
    for (Instance each : List.of(one, other)) {
      assertThat(each.metric("weir_configuration_age_seconds")).isBetween(0.0, 10.0);
      assertThat(each.database().get("state").asText()).isEqualTo("current");
      assertThat(each.database().get("version").asDouble()).isEqualTo(version(each));
    }
  }

  private static double version(Instance instance) {
    return instance.metric("weir_configuration_version");
  }

  @Test
  @DisplayName("T67: where nobody can listen, a change is in force within 10 s")
  void aChangeIsInForceWhereNobodyCanListen() {
    // Connections that are kept go on; nobody gets a new one to listen on.
    database.allowConnections(false);
    try {
      database.cutListeners();
      List<Duration> all = sixChanges(100_000);

      print("with nobody listening", all);
      assertThat(database.listeners()).isEmpty();
      assertThat(percentile(all, 100)).isLessThan(LATEST);
      assertSameVersion();
    } finally {
      database.allowConnections(true);
    }
    awaitListeners();
  }

  @Test
  @DisplayName("T67: where word of changes is lost, a change is in force within 10 s")
  void aChangeIsInForceWhereWordOfItIsLost() {
    List<Long> listeners = database.listeners();
    assertThat(listeners).hasSize(2);
    // Both ends hold their connection for good, and nothing comes through it.
    Signals.send("STOP", listeners);
    try {
      List<Duration> all = sixChanges(200_000);

      print("with word of changes lost", all);
      assertThat(listeners).allMatch(Signals::isStopped);
      assertThat(database.listeners()).containsExactlyInAnyOrderElementsOf(listeners);
      assertThat(percentile(all, 100)).isLessThan(LATEST);
      assertSameVersion();
    } finally {
      Signals.send("CONT", listeners);
    }
  }
}
