package dev.weir.control.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.database.Database;
import dev.weir.control.journal.JournalOptions;
import dev.weir.control.testing.Databases;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What holds for a delivery into every database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class DeliveryContract {
  private static final JournalOptions OPTIONS =
      JournalOptions.defaults().withSyncInterval(Duration.ofMillis(5)).withSegmentBytes(8 << 10);
  private static final Logger LOG = Logger.getLogger(Delivery.class.getName());

  private final Databases databases;
  private Databases.Source source = Databases.Source.embeddedIn(Path.of(""));

  @TempDir Path folder = Path.of("");

  DeliveryContract(Databases databases) {
    this.databases = databases;
  }

  @BeforeEach
  void makeDatabase() {
    LOG.setLevel(Level.OFF);
    source = databases.migrated(folder);
  }

  @AfterEach
  void logAgain() {
    LOG.setLevel(null);
  }

  @AfterAll
  void stop() {
    databases.close();
  }

  private Database open() {
    Database database = source.open();
    NumberSink.makeTable(database);
    return database;
  }

  private Outbox outbox() {
    return Outbox.open(folder.resolve("outbox"), OPTIONS);
  }

  private static Delivery deliver(Outbox outbox, Database database, Sink sink) {
    return new Delivery(outbox, database, "a-server", List.of(sink));
  }

  private static void put(Outbox outbox, long from, long to) {
    for (long number = from; number <= to; number++) {
      assertThat(outbox.put(NumberSink.KIND, NumberSink.payload(number))).isTrue();
    }
  }

  private static List<Long> range(long from, long to) {
    return LongStream.rangeClosed(from, to).boxed().toList();
  }

  private static void awaitCount(Database database, long count) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(NumberSink.count(database)).isGreaterThanOrEqualTo(count));
  }

  private static void awaitDelivered(Outbox outbox) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(outbox.waiting()).isZero());
  }

  @Test
  void everyRecordArrivesOnceAndInItsOrder() {
    try (Database database = open();
        Outbox outbox = outbox();
        Delivery delivery = deliver(outbox, database, new NumberSink())) {
      put(outbox, 1, 20_000);
      awaitDelivered(outbox);
      assertThat(NumberSink.numbers(database)).isEqualTo(range(1, 20_000));
      assertThat(delivery.statistics())
          .isEqualTo(new DeliveryStatistics(20_000, 0, false, Optional.empty()));
      assertThat(outbox.dropped()).isZero();
      assertThat(lastSequences(database)).containsExactly(20_000L);
      assertThat(outbox.statistics().bytesOnDisk()).isLessThan(16 << 10);
    }
  }

  private static List<Long> lastSequences(Database database) {
    return database
        .jdbi()
        .withHandle(
            handle ->
                handle
                    .createQuery(
                        "select last_sequence from audit_journals where server_id = 'a-server'"
                            + " order by last_sequence")
                    .mapTo(Long.class)
                    .list());
  }

  @Test
  void whatWasPutBeforeThereWasADatabaseArrivesToo() {
    for (int start = 0; start < 3; start++) {
      try (Outbox outbox = outbox()) {
        put(outbox, 100L * start + 1, 100L * start + 100);
      }
    }
    try (Outbox outbox = outbox()) {
      put(outbox, 301, 400);
      try (Database database = open();
          Delivery delivery = deliver(outbox, database, new NumberSink())) {
        put(outbox, 401, 500);
        awaitDelivered(outbox);
        assertThat(NumberSink.numbers(database)).isEqualTo(range(1, 500));
        assertThat(delivery.statistics().delivered()).isEqualTo(500);
        // One for each start.
        assertThat(lastSequences(database)).containsExactly(100L, 200L, 300L, 500L);
      }
    }
  }

  @Test
  void whatCanNeverBeWrittenIsLeftOutAndTheRestArrives() {
    try (Database database = open();
        Outbox outbox = outbox();
        Delivery delivery = deliver(outbox, database, new NumberSink())) {
      put(outbox, 1, 500);
      outbox.put(NumberSink.KIND, new byte[] {'x'});
      put(outbox, 501, 700);
      // The database refuses it.
      put(outbox, -5, -5);
      outbox.put((byte) 99, NumberSink.payload(1));
      outbox.put(NumberSink.KIND, new byte[0]);
      put(outbox, 701, 1_000);
      awaitDelivered(outbox);
      assertThat(NumberSink.numbers(database)).isEqualTo(range(1, 1_000));
      assertThat(delivery.statistics().setAside()).isEqualTo(4);
      assertThat(delivery.statistics().delivered()).isEqualTo(1_000);
      assertThat(delivery.statistics().isFailing()).isFalse();
    }
  }

  @Test
  void aDatabaseThatFailsIsTriedUntilItWorks() {
    AtomicInteger failures = new AtomicInteger(3);
    NumberSink failing =
        new NumberSink() {
          @Override
          public void write(Handle handle, List<byte[]> payloads) throws SQLException {
            super.write(handle, payloads);
            if (failures.getAndDecrement() > 0) {
              throw new SQLException("the server\n is gone", "08006");
            }
          }
        };
    try (Database database = open();
        Outbox outbox = outbox();
        Delivery delivery = deliver(outbox, database, failing)) {
      put(outbox, 1, 10);
      awaitDelivered(outbox);
      assertThat(NumberSink.numbers(database)).isEqualTo(range(1, 10));
      assertThat(delivery.statistics().lastFailure()).contains("the server is gone");
      assertThat(delivery.statistics().setAside()).isZero();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> !delivery.statistics().isFailing());
    }
  }

  @Test
  void whatTakesTooLongIsTriedWithFewerRecords() throws Exception {
    NumberSink slow =
        new NumberSink() {
          @Override
          public void write(Handle handle, List<byte[]> payloads) throws SQLException {
            if (payloads.size() > 1_000) {
              throw new SQLException("canceling statement due to statement timeout", "57014");
            }
            super.write(handle, payloads);
          }
        };
    try (Database database = open();
        Outbox outbox = outbox()) {
      put(outbox, 1, 5_000);
      // So that the first batch has all of them.
      outbox.flush();
      try (Delivery delivery = deliver(outbox, database, slow)) {
        awaitDelivered(outbox);
        assertThat(NumberSink.numbers(database)).isEqualTo(range(1, 5_000));
        assertThat(delivery.statistics().lastFailure()).isPresent();
      }
    }
  }

  @Test
  void twoInstancesWithCopiesOfAFolderDoubleNothing() throws Exception {
    try (Outbox outbox = outbox()) {
      put(outbox, 1, 3_000);
    }
    Folders.copy(folder.resolve("outbox"), folder.resolve("copy"));
    try (Database database = open();
        Database other = open();
        Outbox outbox = outbox();
        Outbox copy = Outbox.open(folder.resolve("copy"), OPTIONS)) {
      put(outbox, 3_001, 4_000);
      put(copy, 4_001, 5_000);
      NumberSink slow =
          new NumberSink() {
            @Override
            public void write(Handle handle, List<byte[]> payloads) throws SQLException {
              if (payloads.size() > 64) {
                // So that they come to the same records again and again.
                throw new SQLException("too slow", "57014");
              }
              super.write(handle, payloads);
            }
          };
      try (Delivery one = deliver(outbox, database, slow);
          Delivery two = deliver(copy, other, slow)) {
        awaitCount(database, 5_000);
        awaitDelivered(outbox);
        awaitDelivered(copy);
        assertThat(one.statistics().delivered() + two.statistics().delivered()).isEqualTo(5_000);
      }
      assertThat(NumberSink.numbers(database)).containsExactlyInAnyOrderElementsOf(range(1, 5_000));
    }
  }

  @Test
  void anOldCopyOfTheFolderThatWasPutBackDoublesAndHidesNothing() throws Exception {
    Path old = folder.resolve("old");
    try (Database database = open()) {
      try (Outbox outbox = outbox()) {
        put(outbox, 1, 100);
        outbox.flush();
        Folders.copy(folder.resolve("outbox"), old);
        try (Delivery delivery = deliver(outbox, database, new NumberSink())) {
          put(outbox, 101, 200);
          awaitDelivered(outbox);
          assertThat(delivery.statistics().delivered()).isEqualTo(200);
        }
      }
      Folders.delete(folder.resolve("outbox"));
      Folders.copy(old, folder.resolve("outbox"));
      // Their sequences are those that the database has of others.
      try (Outbox outbox = outbox()) {
        put(outbox, 201, 250);
      }
      try (Outbox outbox = outbox();
          Delivery delivery = deliver(outbox, database, new NumberSink())) {
        put(outbox, 251, 300);
        awaitDelivered(outbox);
        assertThat(delivery.statistics().delivered()).isEqualTo(100);
      }
      assertThat(NumberSink.numbers(database)).isEqualTo(range(1, 300));
    }
  }

  @Test
  void closingDeliversWhatWasPutBefore() {
    try (Database database = open();
        Outbox outbox = outbox()) {
      Delivery delivery = deliver(outbox, database, new NumberSink());
      put(outbox, 1, 5_000);
      delivery.close();
      assertThat(NumberSink.numbers(database)).isEqualTo(range(1, 5_000));
      put(outbox, 5_001, 5_010);
    }
    try (Database database = open();
        Outbox outbox = outbox()) {
      deliver(outbox, database, new NumberSink()).close();
      assertThat(NumberSink.numbers(database)).isEqualTo(range(1, 5_010));
    }
  }

  @Test
  void whatCannotBeDeliveredBeforeTheEndIsDeliveredAfterTheNextStart() {
    NumberSink broken =
        new NumberSink() {
          @Override
          public void write(Handle handle, List<byte[]> payloads) throws SQLException {
            throw new SQLException("gone", "08006");
          }
        };
    try (Database database = open();
        Outbox outbox = outbox()) {
      Delivery delivery = deliver(outbox, database, broken);
      put(outbox, 1, 10);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> delivery.statistics().isFailing());
      delivery.close();
      assertThat(delivery.statistics().delivered()).isZero();
    }
    try (Database database = open();
        Outbox outbox = outbox();
        Delivery delivery = deliver(outbox, database, new NumberSink())) {
      awaitDelivered(outbox);
      assertThat(NumberSink.numbers(database)).isEqualTo(range(1, 10));
      assertThat(delivery.statistics().delivered()).isEqualTo(10);
    }
  }

  /** As after a backup that was older: the records that are still on disk are taken in again. */
  @Test
  void aDatabaseThatHasForgottenGetsWhatIsStillThere() {
    try (Outbox outbox = outbox()) {
      put(outbox, 1, 10);
      try (Database database = open()) {
        deliver(outbox, database, new NumberSink()).close();
        database
            .jdbi()
            .useHandle(
                handle -> {
                  handle.execute("delete from numbers");
                  handle.execute("delete from audit_journals");
                });
        put(outbox, 11, 20);
        deliver(outbox, database, new NumberSink()).close();
        assertThat(NumberSink.numbers(database)).isEqualTo(range(1, 20));
      }
    }
  }

  @Test
  void anErrorInASinkDoesNotEndTheDelivery() {
    AtomicReference<Error> error = new AtomicReference<>(new StackOverflowError());
    NumberSink failing =
        new NumberSink() {
          @Override
          public void write(Handle handle, List<byte[]> payloads) throws SQLException {
            Error once = error.getAndSet(null);
            if (once != null) {
              throw once;
            }
            super.write(handle, payloads);
          }
        };
    try (Database database = open();
        Outbox outbox = outbox();
        Delivery delivery = deliver(outbox, database, failing)) {
      put(outbox, 1, 10);
      awaitDelivered(outbox);
      assertThat(NumberSink.numbers(database)).isEqualTo(range(1, 10));
      assertThat(delivery.statistics().lastFailure()).contains("StackOverflowError");
    }
  }

  @Test
  void twoSinksOfOneKindAreRefused() throws IOException {
    try (Database database = open();
        Outbox outbox = outbox()) {
      assertThatThrownBy(
              () ->
                  new Delivery(outbox, database, "a", List.of(new NumberSink(), new NumberSink())))
          .hasMessage("sinks must be of different kinds, got two of 7");
    }
  }
}
