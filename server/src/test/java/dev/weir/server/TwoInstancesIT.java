package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.process.Signals;
import dev.weir.testkit.redis.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is changed on one of two instances with one database, as the other decides. */
class TwoInstancesIT {
  /** Only bounds a failure. */
  private static final Duration FAILURE = Duration.ofSeconds(60);

  private static final String USUAL_LIMIT = "1000000";

  @TempDir private static Path folder = Path.of("");

  private static PostgresDatabase database;
  private static Instance one;
  private static Instance other;

  @BeforeAll
  static void start() {
    database = PostgresDatabase.shared();
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
        key_prefix = "two-instances"

        [default]
        limit = %s
        window = "1h"

        %s"""
            .formatted(RedisServer.shared().uri(), USUAL_LIMIT, database.toml()));
  }

  @AfterAll
  static void stop() {
    other.close();
    one.close();
  }

  private static void awaitListeners() {
    Awaitility.await().atMost(FAILURE).until(() -> database.listeners().size() == 2);
  }

  /** How many changes are made one by one. */
  int changes() {
    return 10;
  }

  /** What the time that changes take is measured by; everyday it is not. */
  LongSupplier clock() {
    return () -> 0;
  }

  /**
   * Judges how long changes took by the clock.
   *
   * @param latest how long 99 of 100 may take
   */
  void judge(String how, List<Duration> all, Duration latest) {}

  /** Makes changes on one instance and the other in turn; how long each took to be in force. */
  private List<Duration> changes(int count) {
    List<Duration> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean isOnOne = i % 2 == 0;
      all.addAll(inForce(List.of(i), isOnOne ? one : other, isOnOne ? other : one));
    }
    return all;
  }

  /** Makes changes on one instance; how long each took from then on to be in force on another. */
  private List<Duration> inForce(List<Integer> numbers, Instance changed, Instance asked) {
    List<VisibleChange> changes =
        numbers.stream().map(number -> VisibleChange.of(number, changed, USUAL_LIMIT)).toList();
    List<Long> acknowledged = new ArrayList<>();
    for (VisibleChange change : changes) {
      Awaitility.await(change.what())
          .atMost(FAILURE)
          .until(() -> change.look().apply(asked).equals(change.before()));
    }
    for (VisibleChange change : changes) {
      change.make().run();
      acknowledged.add(clock().getAsLong());
    }
    List<Duration> all = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      all.add(awaitAfter(changes.get(i), asked, acknowledged.get(i)));
      assertThat(changes.get(i).look().apply(changed)).isEqualTo(changes.get(i).after());
    }
    return all;
  }

  private Duration awaitAfter(VisibleChange change, Instance asked, long start) {
    Awaitility.await(change.what())
        .atMost(FAILURE)
        .pollInterval(Duration.ofMillis(2))
        .until(() -> change.look().apply(asked).equals(change.after()));
    return Duration.ofNanos(clock().getAsLong() - start);
  }

  /** A rule, a block and a revoked key at once, on one instance and then on the other. */
  private List<Duration> sixChanges(int first) {
    List<Duration> all = new ArrayList<>();
    all.addAll(inForce(List.of(first, first + 1, first + 4), one, other));
    all.addAll(inForce(List.of(first + 5, first + 6, first + 9), other, one));
    return all;
  }

  @Test
  void aChangeOnOneIsInForceOnTheOther() {
    judge("with word of changes", changes(changes()), Duration.ofSeconds(1));
    assertSameVersion();
  }

  /** An operator sees from outside that no instance is behind. */
  private static void assertSameVersion() {
    Awaitility.await().atMost(FAILURE).until(() -> version(one) == version(other));
    assertThat(version(one)).isGreaterThanOrEqualTo(3);
    for (Instance each : List.of(one, other)) {
      Awaitility.await()
          .atMost(FAILURE)
          .until(() -> each.metric("weir_configuration_age_seconds") < 10);
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

      assertThat(database.listeners()).isEmpty();
      judge("with nobody listening", all, Duration.ofSeconds(10));
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

      assertThat(listeners).allMatch(Signals::isStopped);
      assertThat(database.listeners()).containsExactlyInAnyOrderElementsOf(listeners);
      judge("with word of changes lost", all, Duration.ofSeconds(10));
      assertSameVersion();
    } finally {
      Signals.send("CONT", listeners);
    }
  }
}
