package dev.weir.control.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.control.journal.JournalOptions;
import dev.weir.control.outbox.Decisions;
import dev.weir.control.outbox.Delivery;
import dev.weir.control.outbox.Outbox;
import dev.weir.control.rollup.Granularity;
import dev.weir.control.rollup.RollupFilter;
import dev.weir.control.rollup.RollupObserver;
import dev.weir.control.rollup.RollupQueries;
import dev.weir.control.rollup.RollupRow;
import dev.weir.control.rollup.RollupSink;
import dev.weir.control.testing.Databases;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.AuditSettings;
import dev.weir.policy.config.EventType;
import dev.weir.testkit.TestLevel;
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that is killed again and again has each decision once in the end (T64). */
@Tag("long")
class DatabaseKillLongIT {
  private static final int KILLS = TestLevel.amount("weir.control.database.kills", 3, 50);

  private final long seed =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
  private final SplittableRandom random = new SplittableRandom(seed);
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicLong decided = new AtomicLong();

  @TempDir Path folder = Path.of("");

  @Test
  @DisplayName("T64: PostgreSQL killed under load has every decision once")
  void everyDecisionIsThereOnce() throws Exception {
    Logger.getLogger(Delivery.class.getName()).setLevel(Level.OFF);
    try (Databases databases = Databases.privatePostgres(PostgresServer.Version.V18);
        Database database = databases.migrated(folder).open();
        Outbox outbox = Outbox.open(folder.resolve("outbox"), JournalOptions.defaults());
        Delivery delivery =
            new Delivery(
                outbox,
                database,
                "a",
                List.of(new AuditSink(database), new RollupSink(database)))) {
      RollupObserver rollup =
          new RollupObserver(outbox, TimeSource.system(), "eu", () -> 0, () -> 0);
      Thread load = new Thread(() -> decide(outbox, rollup));
      load.start();
      for (int kill = 0; kill < KILLS; kill++) {
        long before = delivery.statistics().delivered();
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> delivery.statistics().delivered() > before);
        // Anywhere in what it does next.
        LockSupport.parkNanos(random.nextInt(300_000_000));
        databases.server().kill();
        databases.server().restart();
      }
      isOver.set(true);
      load.join();
      rollup.close();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(() -> assertThat(outbox.waiting()).as("seed %d", seed).isZero());
      assertThat(outbox.dropped()).isZero();
      assertThat(delivery.statistics().setAside()).isZero();
      assertThat(count(database, "count(*)")).as("seed %d", seed).isEqualTo(decided.get());
      assertThat(count(database, "count(distinct path)")).isEqualTo(decided.get());
      long rolledUp =
          new RollupQueries(database)
              .rows(RollupFilter.of(Granularity.DAY, null, null), 100).rows().stream()
                  .mapToLong(RollupRow::total)
                  .sum();
      assertThat(rolledUp).as("seed %d", seed).isEqualTo(decided.get());
      System.out.printf("%d kills, %d decisions, each there once%n", KILLS, decided.get());
    } finally {
      isOver.set(true);
      Logger.getLogger(Delivery.class.getName()).setLevel(null);
    }
  }

  /** About 5,000 a second. */
  private void decide(Outbox outbox, RollupObserver rollup) {
    AuditObserver audit =
        new AuditObserver(
            outbox,
            new AuditSettings(Set.of(EventType.ALLOWED), Duration.ofDays(90), ""),
            TimeSource.system(),
            "a",
            "eu");
    Decisions decisions = new Decisions(TimeSource.system());
    while (!isOver.get()) {
      for (int i = 0; i < 50; i++) {
        Verdict verdict = decisions.decide("alice", "/open/" + decided.incrementAndGet());
        audit.decided(verdict, 1_000);
        rollup.decided(verdict, 1_000);
      }
      LockSupport.parkNanos(10_000_000);
    }
  }

  private static long count(Database database, String what) {
    return database
        .jdbiForLongWork()
        .withHandle(
            handle ->
                handle
                    .createQuery("select " + what + " from rate_limit_audit_logs")
                    .mapTo(Long.class)
                    .one());
  }
}
