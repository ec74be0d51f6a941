package dev.weir.control.outbox;

import dev.weir.control.database.Database;
import dev.weir.control.database.Vendor;
import dev.weir.control.journal.JournalRecord;
import java.io.Serial;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Brings the records of an {@link Outbox} into the database, in a thread of its own.
 *
 * <p>Each batch is one transaction. It first moves the row of the records' epoch in {@code
 * audit_journals} from where this delivery knows it to be; if it is elsewhere, somebody else has
 * been there, nothing is written, and the delivery goes on from where the row is. So each record is
 * applied once, whatever dies in between and whoever else has a copy of the folder.
 *
 * <p>If the database fails, the same records are tried again, soon at first and then about once a
 * second. If it refuses what records say, ever fewer are written at a time until the one is found
 * that it refuses; that one is left out, counted and logged.
 */
public final class Delivery implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Delivery.class.getName());

  /** As many as make the cost of a transaction small, and few enough for its time limit. */
  private static final int MOST_RECORDS = 16_384;

  private static final int LEAST_RECORDS = 64;
  private static final long MOST_BYTES = 8L << 20;

  private static final Duration PATIENCE = Duration.ofMillis(200);
  private static final Duration FIRST_PATIENCE = Duration.ofSeconds(2);
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;
  private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long LONGEST_CALL_MILLIS = 6_000;

  private final Outbox outbox;
  private final Database database;
  private final String serverId;
  private final Map<Byte, Sink> sinks = new HashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "weir-delivery");

  /** When to stop trying, and behind which sequence; set before {@code closing} ends. */
  private volatile long closeAtNanos;

  private volatile long closeBehind;

  private final AtomicLong delivered = new AtomicLong();
  private final AtomicLong setAside = new AtomicLong();
  private volatile boolean isFailing;

  /** Whether somebody has read in the log of a failure that is not over. */
  private boolean isTold;

  private volatile @Nullable String lastFailure;

  /** The rest belongs to the thread. */
  private @Nullable Place place;

  private int mostRecords = MOST_RECORDS;
  private long pauseMillis = FIRST_PAUSE_MILLIS;

  /** Where the database is: it has all of an epoch up to {@code last}. */
  private static final class Place {
    final int index;
    final Epoch epoch;
    long last;

    Place(int index, Epoch epoch, long last) {
      this.index = index;
      this.epoch = epoch;
      this.last = last;
    }
  }

  /** Somebody else has moved the row of our epoch. */
  static final class Overtaken extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    Overtaken(Epoch epoch, long expected) {
      super(
          "audit_journals does not have sequence %d for %s any more; does another instance use a copy of the folder?"
              .formatted(expected, epoch.name()));
    }
  }

  /**
   * Begins.
   *
   * @param serverId whose records they are, for people who look at {@code audit_journals}
   * @param sinks one for each kind
   */
  public Delivery(Outbox outbox, Database database, String serverId, List<? extends Sink> sinks) {
    this.outbox = outbox;
    this.database = database;
    this.serverId = serverId;
    for (Sink sink : sinks) {
      if (this.sinks.put(sink.kind(), sink) != null) {
        throw new IllegalArgumentException(
            "sinks must be of different kinds, got two of " + sink.kind());
      }
    }
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    // Else every start would begin with a failure.
    database.awaitOpen(FIRST_PATIENCE);
    try {
      while (!isOver()) {
        step();
      }
    } catch (InterruptedException ended) {
      // What is left stays in the outbox.
    }
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  private boolean isOver() {
    if (!isClosing()) {
      return false;
    }
    Place current = place;
    return isFailing
        || System.nanoTime() - closeAtNanos >= 0
        || (current != null && current.last >= closeBehind);
  }

  private void step() throws InterruptedException {
    try {
      Place current = place;
      if (current == null) {
        current = place(0);
        place = current;
      }
      deliverAt(current);
      isFailing = false;
      isTold = false;
      pauseMillis = FIRST_PAUSE_MILLIS;
    } catch (RuntimeException | Error failure) {
      failed(failure);
    }
  }

  private void failed(Throwable failure) throws InterruptedException {
    // Whether a transaction was committed that failed in its last moment is asked of the database.
    place = null;
    if (Failure.of(failure) == Failure.OF_TIME) {
      mostRecords = Math.max(LEAST_RECORDS, mostRecords / 4);
    }
    String words = Failure.words(failure);
    lastFailure = words;
    // One that is not open yet says so itself; and at the end, it is for the next start to say.
    if (!isTold && !isClosing() && database.isOpen()) {
      isTold = true;
      LOGGER.log(
          System.Logger.Level.WARNING,
          "records wait for {0}, it is tried again until it works: {1}",
          database,
          words);
    }
    isFailing = true;
    closing.await(pauseMillis, TimeUnit.MILLISECONDS);
    pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
  }

  /** The first place, in that epoch or a later one, where the database does not have all. */
  private Place place(int index) {
    List<Epoch> epochs = outbox.epochs();
    for (int i = index; ; i++) {
      Epoch epoch = epochs.get(i);
      long last = database.jdbi().inTransaction(handle -> lastSequence(handle, epoch));
      if (!epoch.isDoneAt(last)) {
        outbox.acknowledge(last);
        return new Place(i, epoch, last);
      }
    }
  }

  /** Up to where the database has an epoch; it has a row for it afterwards. */
  private long lastSequence(Handle handle, Epoch epoch) {
    Optional<Long> last =
        handle
            .createQuery("select last_sequence from audit_journals where journal_id = :name")
            .bind("name", epoch.name().toString())
            .mapTo(Long.class)
            .findOne();
    if (last.isEmpty()) {
      handle
          .createUpdate(
              "insert into audit_journals (journal_id, server_id, last_sequence)"
                  + " values (:name, :server, :start)")
          .bind("name", epoch.name().toString())
          .bind("server", serverId)
          .bind("start", epoch.start())
          .execute();
    }
    return last.orElse(epoch.start());
  }

  private void deliverAt(Place at) throws InterruptedException {
    Duration patience = isClosing() ? Duration.ZERO : PATIENCE;
    List<JournalRecord> batch = outbox.read(at.last, mostRecords, MOST_BYTES, patience);
    int size = 0;
    while (size < batch.size() && batch.get(size).sequence() <= at.epoch.end()) {
      size++;
    }
    if (size > 0) {
      deliver(at, batch.subList(0, size));
    }
    if (at.epoch.isDoneAt(at.last) || size < batch.size()) {
      place = place(at.index + 1);
    }
  }

  private void deliver(Place at, List<JournalRecord> records) {
    try {
      write(at, records, true);
      delivered.addAndGet(records.size());
      mostRecords = Math.min(MOST_RECORDS, 2 * mostRecords);
    } catch (RuntimeException | SQLException failure) {
      if (Failure.of(failure) != Failure.OF_RECORDS) {
        throw failure instanceof RuntimeException same ? same : new IllegalStateException(failure);
      }
      if (records.size() > 1) {
        int half = records.size() / 2;
        deliver(at, records.subList(0, half));
        deliver(at, records.subList(half, records.size()));
      } else {
        leaveOut(at, records.get(0), failure);
      }
    }
  }

  private void leaveOut(Place at, JournalRecord record, Exception failure) {
    try {
      write(at, List.of(record), false);
    } catch (SQLException inSink) {
      throw new IllegalStateException(inSink);
    }
    setAside.incrementAndGet();
    LOGGER.log(
        System.Logger.Level.ERROR,
        "record {0} of kind {1} and {2} bytes is left out, since it can never be written: {3}",
        Long.toString(record.sequence()),
        record.payload().length == 0 ? "none" : Byte.toString(record.payload()[0]),
        Integer.toString(record.payload().length),
        Failure.words(failure));
  }

  /** One transaction; the place is behind the records when it is committed. */
  private void write(Place at, List<JournalRecord> records, boolean isForSinks)
      throws SQLException {
    long last = records.get(records.size() - 1).sequence();
    database
        .jdbi()
        .<SQLException>useTransaction(
            handle -> {
              if (database.vendor() == Vendor.POSTGRESQL) {
                // What is acknowledged is deleted here, so it must be safe there.
                handle.execute("set local synchronous_commit = on");
              }
              move(handle, at, last);
              if (isForSinks) {
                writeToSinks(handle, records);
              }
            });
    at.last = last;
    outbox.acknowledge(last);
  }

  private static void move(Handle handle, Place at, long last) {
    int rows =
        handle
            .createUpdate(
                "update audit_journals set last_sequence = :last, updated_at = current_timestamp"
                    + " where journal_id = :name and last_sequence = :expected")
            .bind("last", last)
            .bind("name", at.epoch.name().toString())
            .bind("expected", at.last)
            .execute();
    if (rows != 1) {
      throw new Overtaken(at.epoch, at.last);
    }
  }

  /** The kinds always in the same order, so that two deliveries do not wait for each other. */
  private void writeToSinks(Handle handle, List<JournalRecord> records) throws SQLException {
    Map<Byte, List<byte[]>> payloads = new TreeMap<>();
    for (JournalRecord record : records) {
      byte[] bytes = record.payload();
      if (bytes.length == 0 || !sinks.containsKey(bytes[0])) {
        throw new IllegalArgumentException(
            "a record must be of a known kind, got "
                + (bytes.length == 0 ? "none" : Byte.toString(bytes[0])));
      }
      payloads
          .computeIfAbsent(bytes[0], kind -> new ArrayList<>())
          .add(Arrays.copyOfRange(bytes, 1, bytes.length));
    }
    for (Map.Entry<Byte, List<byte[]>> each : payloads.entrySet()) {
      Sink sink = sinks.get(each.getKey());
      if (sink != null) {
        sink.write(handle, each.getValue());
      }
    }
  }

  /** How it goes; also after it was closed. */
  public DeliveryStatistics statistics() {
    return new DeliveryStatistics(
        delivered.get(), setAside.get(), isFailing, Optional.ofNullable(lastFailure));
  }

  /**
   * Delivers what was put before, as far as that works within three seconds. The rest stays in the
   * outbox. Takes up to six seconds more if the database has just stopped to answer.
   */
  @Override
  public void close() {
    try {
      if (!isClosing()) {
        flush();
        closeBehind = outbox.statistics().lastSynced();
        closeAtNanos = System.nanoTime() + CLOSE_NANOS;
        closing.countDown();
      }
      thread.join(TimeUnit.NANOSECONDS.toMillis(CLOSE_NANOS) + LONGEST_CALL_MILLIS);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }

  private void flush() throws InterruptedException {
    try {
      outbox.flush();
    } catch (RuntimeException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "not all records are on disk: {0}", failure);
    }
  }
}
