package dev.weir.control.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.control.journal.JournalOptions;
import dev.weir.control.outbox.Decisions;
import dev.weir.control.outbox.Delivery;
import dev.weir.control.outbox.Outbox;
import dev.weir.control.outbox.Sink;
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
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A database that is killed in the middle of a transaction has each decision once in the end (T64).
 * {@link DatabaseKillLongIT} kills it at random moments.
 */
class DatabaseKillIT {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Logger LOG = Logger.getLogger(Delivery.class.getName());

  @TempDir Path folder = Path.of("");

  private int decided;

  /** Kills the server once it has written, before the transaction is committed. */
  private record KillingSink(Sink sink, PostgresServer server, AtomicInteger kills)
      implements Sink {
    @Override
    public byte kind() {
      return sink.kind();
    }

    @Override
    public void write(Handle handle, List<byte[]> payloads) throws SQLException {
      sink.write(handle, payloads);
      if (kills.getAndDecrement() > 0) {
        server.kill();
      }
    }
  }

  @Test
  @DisplayName("T64: PostgreSQL killed in the middle of a transaction has every decision once")
  void everyDecisionIsThereOnce() {
    LOG.setLevel(Level.OFF);
    AtomicInteger kills = new AtomicInteger();
    try (Databases databases = Databases.privatePostgres(PostgresServer.Version.V18);
        Database database = databases.migrated(folder).open();
        Outbox outbox = Outbox.open(folder.resolve("outbox"), JournalOptions.defaults());
        Delivery delivery =
            new Delivery(
                outbox,
                database,
                "a",
                List.of(
                    new KillingSink(new AuditSink(database), databases.server(), kills),
                    new RollupSink(database)))) {
      AuditObserver audit =
          new AuditObserver(
              outbox,
              new AuditSettings(Set.of(EventType.ALLOWED), Duration.ofDays(90), ""),
              TimeSource.system(),
              "a",
              "eu");
      RollupObserver rollup =
          new RollupObserver(outbox, TimeSource.system(), "eu", () -> 0, () -> 0);
      decide(audit, rollup);
      awaitDelivered(outbox);
      kills.set(1);
      decide(audit, rollup);
      Awaitility.await().atMost(LONG).until(() -> !databases.server().isAlive());
      decide(audit, rollup);
      Awaitility.await().atMost(LONG).until(() -> delivery.statistics().isFailing());
      assertThat(outbox.waiting()).isPositive();
      databases.server().restart();
      decide(audit, rollup);
      rollup.close();
      awaitDelivered(outbox);
      assertThat(outbox.dropped()).isZero();
      assertThat(delivery.statistics().setAside()).isZero();
      assertThat(count(database, "count(*)")).isEqualTo(decided);
      assertThat(count(database, "count(distinct path)")).isEqualTo(decided);
      long rolledUp =
          new RollupQueries(database)
              .rows(RollupFilter.of(Granularity.DAY, null, null), 100).rows().stream()
                  .mapToLong(RollupRow::total)
                  .sum();
      assertThat(rolledUp).isEqualTo(decided);
    } finally {
      LOG.setLevel(null);
    }
  }

  private void decide(AuditObserver audit, RollupObserver rollup) {
    Decisions decisions = new Decisions(TimeSource.system());
    for (int i = 0; i < 500; i++) {
      Verdict verdict = decisions.decide("alice", "/open/" + ++decided);
      audit.decided(verdict, 1_000);
      rollup.decided(verdict, 1_000);
    }
  }

  private static void awaitDelivered(Outbox outbox) {
    Awaitility.await().atMost(LONG).untilAsserted(() -> assertThat(outbox.waiting()).isZero());
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
