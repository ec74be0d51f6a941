package dev.weir.control.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.control.journal.JournalOptions;
import dev.weir.control.outbox.Decisions;
import dev.weir.control.outbox.Delivery;
import dev.weir.control.outbox.Outbox;
import dev.weir.control.query.Conditions;
import dev.weir.control.query.InvalidQuery;
import dev.weir.control.testing.Databases;
import dev.weir.policy.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What holds for metrics in every database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RollupContract {
  /** Two minutes before the end of a month. */
  private static final Instant START = Instant.parse("2026-10-31T23:58:00Z");

  private final long seed =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
  private final Databases databases;

  @TempDir Path folder = Path.of("");

  RollupContract(Databases databases) {
    this.databases = databases;
  }

  @AfterAll
  void stop() {
    databases.close();
  }

  private Outbox outbox(String name) {
    return Outbox.open(folder.resolve(name), JournalOptions.defaults());
  }

  private static void deliver(Outbox outbox, Database database) {
    new Delivery(outbox, database, "a", List.of(new RollupSink(database))).close();
    assertThat(outbox.waiting()).isZero();
  }

  private static List<RollupRow> rows(Database database, Granularity granularity) {
    RollupQueries.Answer answer =
        new RollupQueries(database).rows(RollupFilter.of(granularity, null, null), 10_000);
    assertThat(answer.isComplete()).isTrue();
    return answer.rows();
  }

  /** What a row must say: how many of each outcome, and all latencies. */
  private static final class Model {
    final long[] outcomes = new long[3];
    final List<Long> micros = new ArrayList<>();
  }

  private record Key(Instant timestamp, String endpoint, String tier, String rule, String region) {}

  private static void note(
      Map<Granularity, Map<Key, Model>> models,
      Instant at,
      Verdict verdict,
      long micros,
      String region) {
    for (Granularity granularity : Granularity.values()) {
      Key key =
          new Key(
              Instant.ofEpochSecond(granularity.start(at.getEpochSecond())),
              verdict.endpoint(),
              Objects.requireNonNullElse(verdict.tier(), ""),
              Objects.requireNonNullElse(verdict.rule(), ""),
              region);
      Model model =
          models
              .computeIfAbsent(granularity, none -> new HashMap<>())
              .computeIfAbsent(key, none -> new Model());
      switch (verdict.outcome()) {
        case ALLOWED -> model.outcomes[0]++;
        case THROTTLED -> model.outcomes[1]++;
        case BLOCKED -> model.outcomes[2]++;
      }
      model.micros.add(micros);
    }
  }

  private static void assertEqual(Database database, Map<Granularity, Map<Key, Model>> models) {
    for (Granularity granularity : Granularity.values()) {
      Map<Key, Model> model = Objects.requireNonNull(models.get(granularity));
      List<RollupRow> rows = rows(database, granularity);
      assertThat(rows).as("%s", granularity).hasSize(model.size());
      for (RollupRow row : rows) {
        Key key = new Key(row.timestamp(), row.endpoint(), row.tier(), row.rule(), row.region());
        Model expected = Objects.requireNonNull(model.get(key), key.toString());
        assertThat(new long[] {row.allowed(), row.throttled(), row.blocked()})
            .as("%s", key)
            .isEqualTo(expected.outcomes);
        Collections.sort(expected.micros);
        assertPercentile(expected.micros, 50, row.p50Micros());
        assertPercentile(expected.micros, 95, row.p95Micros());
        assertPercentile(expected.micros, 99, row.p99Micros());
      }
      assertThat(rows.stream().map(RollupRow::timestamp).toList()).isSorted();
    }
  }

  private static void assertPercentile(List<Long> micros, int percent, @Nullable Long told) {
    long exact = micros.get((micros.size() * percent + 99) / 100 - 1);
    assertThat(told).isBetween(exact, exact + exact / 32);
  }

  @Test
  void rowsEqualAModel() {
    SplittableRandom random = new SplittableRandom(seed);
    ManualTime time = TimeSource.manual(START);
    Decisions decisions = new Decisions(time);
    Map<Granularity, Map<Key, Model>> models = new TreeMap<>();
    try (Database database = databases.migrated(folder).open();
        Outbox one = outbox("one");
        Outbox two = outbox("two")) {
      RollupObserver eu = new RollupObserver(one, time, "eu", () -> 0, () -> 0);
      RollupObserver us = new RollupObserver(two, time, "us", () -> 0, () -> 0);
      for (int step = 0; step < 40; step++) {
        for (int i = random.nextInt(100); i > 0; i--) {
          Verdict verdict =
              decisions.decide(
                  "user" + random.nextInt(3),
                  List.of("/chat/1", "/closed/1", "/open/1", "/x").get(random.nextInt(4)));
          long micros = random.nextLong(1L << random.nextInt(1, 20));
          boolean isEu = random.nextBoolean();
          (isEu ? eu : us).decided(verdict, micros * 1_000);
          note(models, now(time), verdict, micros, isEu ? "eu" : "us");
        }
        eu.flush();
        us.flush();
        time.advance(Duration.ofSeconds(random.nextInt(1, 40)));
        if (step == 20) {
          deliver(one, database);
        }
      }
      eu.close();
      us.close();
      deliver(one, database);
      // All of it is late.
      deliver(two, database);
      assertEqual(database, models);
    }
  }

  private static Instant now(TimeSource time) {
    return Instant.ofEpochSecond(time.nowMicros() / 1_000_000);
  }

  @Test
  void severalInstancesOfOneRegionAddUpAtOnce() {
    Databases.Source source = databases.migrated(folder);
    ManualTime time = TimeSource.manual(START);
    Decisions decisions = new Decisions(time);
    try (Database database = source.open();
        Database other = source.open();
        Outbox one = outbox("one");
        Outbox two = outbox("two");
        Delivery first = new Delivery(one, database, "a", List.of(new RollupSink(database)));
        Delivery second = new Delivery(two, other, "b", List.of(new RollupSink(other)))) {
      RollupObserver a = new RollupObserver(one, time, "eu", () -> 0, () -> 0);
      RollupObserver b = new RollupObserver(two, time, "eu", () -> 0, () -> 0);
      for (int i = 0; i < 200; i++) {
        Verdict verdict = decisions.decide("alice", i % 2 == 0 ? "/open/1" : "/x");
        a.decided(verdict, 5_000);
        b.decided(verdict, 7_000);
        a.flush();
        b.flush();
        time.advance(Duration.ofSeconds(1));
      }
      a.close();
      b.close();
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> one.waiting() + two.waiting() == 0);
      assertThat(first.statistics().setAside() + second.statistics().setAside()).isZero();
      for (Granularity granularity : Granularity.values()) {
        List<RollupRow> rows = rows(database, granularity);
        assertThat(rows.stream().mapToLong(RollupRow::allowed).sum()).isEqualTo(400);
        assertThat(rows)
            .allSatisfy(
                row -> {
                  assertThat(row.p50Micros()).isEqualTo(5);
                  assertThat(row.p99Micros()).isEqualTo(7);
                });
      }
      // Two days with two kinds of requests each.
      assertThat(rows(database, Granularity.DAY)).hasSize(4);
    }
  }

  @Test
  void cachesAreCountedInARowOfTheirOwn() {
    ManualTime time = TimeSource.manual(START);
    AtomicLong hits = new AtomicLong(1_000);
    AtomicLong misses = new AtomicLong(50);
    try (Database database = databases.migrated(folder).open();
        Outbox outbox = outbox("one")) {
      RollupObserver observer = new RollupObserver(outbox, time, "eu", hits::get, misses::get);
      hits.addAndGet(10);
      observer.flush();
      time.advance(Duration.ofMinutes(1));
      hits.addAndGet(5);
      misses.addAndGet(3);
      observer.flush();
      // Who counts them has begun anew.
      hits.set(2);
      misses.set(0);
      observer.close();
      deliver(outbox, database);
      assertThat(rows(database, Granularity.MINUTE))
          .containsExactly(
              new RollupRow(START, "", "", "", "eu", 0, 0, 0, null, null, null, 10, 0),
              new RollupRow(
                  START.plusSeconds(60), "", "", "", "eu", 0, 0, 0, null, null, null, 7, 3));
    }
  }

  @Test
  void asksByGranularityTimeAndDimensions() {
    ManualTime time = TimeSource.manual(START);
    Decisions decisions = new Decisions(time);
    try (Database database = databases.migrated(folder).open();
        Outbox outbox = outbox("one")) {
      RollupObserver observer = new RollupObserver(outbox, time, "eu", () -> 0, () -> 0);
      for (int minute = 0; minute < 10; minute++) {
        observer.decided(decisions.decide("alice", "/chat/1"), 3_000);
        observer.decided(decisions.decide("alice", "/closed/1"), 3_000);
        observer.flush();
        time.advance(Duration.ofMinutes(1));
      }
      observer.close();
      deliver(outbox, database);
      RollupQueries queries = new RollupQueries(database);
      RollupFilter chat =
          new RollupFilter(
              Granularity.MINUTE,
              START.plusSeconds(60),
              START.plusSeconds(240),
              "chat",
              "free",
              "endpoint:chat",
              "eu");
      assertThat(queries.rows(chat, 100).rows()).hasSize(3);
      assertThat(queries.rows(chat, 2).isComplete()).isFalse();
      assertThat(queries.rows(chat, 2).rows()).hasSize(2);
      RollupFilter elsewhere =
          new RollupFilter(Granularity.MINUTE, null, null, null, null, null, "us");
      assertThat(queries.rows(elsewhere, 100).toJson())
          .isEqualTo("{\"granularity\": \"minute\", \"rows\": [], \"complete\": true}");
      RollupFilter blocked =
          new RollupFilter(Granularity.DAY, null, null, null, null, "closed", null);
      assertThat(queries.rows(blocked, 1).toJson())
          .isEqualTo(
              "{\"granularity\": \"day\", \"rows\": [{\"timestamp\": \"2026-10-31T00:00:00Z\","
                  + " \"endpoint\": \"*\", \"tier\": \"free\", \"rule_name\": \"closed\","
                  + " \"region\": \"eu\", \"total_requests\": 2, \"allowed_requests\": 0,"
                  + " \"throttled_requests\": 0, \"blocked_requests\": 2,"
                  + " \"latency_p50_micros\": 3, \"latency_p95_micros\": 3,"
                  + " \"latency_p99_micros\": 3, \"cache_hits\": 0, \"cache_misses\": 0}],"
                  + " \"complete\": false}");
      assertThatThrownBy(() -> queries.rows(chat, 0))
          .isInstanceOf(InvalidQuery.class)
          .hasMessage("limit must be between 1 and 10000, got 0");
      assertThat(plan(database, chat)).doesNotContain("tableScan");
    }
  }

  private static String plan(Database database, RollupFilter filter) {
    Conditions conditions = filter.conditions();
    return database
        .jdbi()
        .withHandle(
            handle ->
                conditions
                    .bindTo(handle.createQuery("explain " + RollupQueries.sql(conditions)))
                    .bind("most", 100)
                    .mapTo(String.class)
                    .list())
        .stream()
        .collect(Collectors.joining("\n"));
  }

  @Test
  void aSketchThatWasSpoiltIsBegunAnew() {
    ManualTime time = TimeSource.manual(START);
    Decisions decisions = new Decisions(time);
    try (Database database = databases.migrated(folder).open();
        Outbox outbox = outbox("one")) {
      RollupObserver observer = new RollupObserver(outbox, time, "eu", () -> 0, () -> 0);
      observer.decided(decisions.decide("alice", "/x"), 900_000);
      observer.flush();
      deliver(outbox, database);
      database
          .jdbi()
          .useHandle(
              handle ->
                  handle
                      .createUpdate("update rate_limit_metrics set latency_sketch = :wrong")
                      .bind("wrong", new byte[] {9, 9})
                      .execute());
      observer.decided(decisions.decide("alice", "/x"), 3_000);
      observer.close();
      deliver(outbox, database);
      assertThat(rows(database, Granularity.MINUTE))
          .singleElement()
          .satisfies(
              row -> {
                assertThat(row.allowed()).isEqualTo(2);
                assertThat(row.p99Micros()).isEqualTo(3);
              });
    }
  }
}
