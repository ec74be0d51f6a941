package dev.weir.control.change;

import dev.weir.control.database.Database;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Tells of every change that any instance has made. The database sends word, which takes
 * milliseconds; word may be lost, so it is also asked every three seconds. While it cannot be
 * reached, this goes on trying; what happened meanwhile is told afterwards.
 */
public final class ChangeFeed implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(ChangeFeed.class.getName());
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int MOST_SUBJECTS = 10_000;

  private final Database database;
  private final Intervals intervals;
  private final List<Consumer<Seen>> listeners = new CopyOnWriteArrayList<>();
  private final Semaphore wakes = new Semaphore(0);
  private final Thread thread = new Thread(this::run, "weir-changes");

  /** Where the one thread is: the version, and the row of the audit that came with it. */
  private @Nullable Position position;

  private volatile @Nullable Look lastLook;
  private volatile @Nullable String problem;
  private volatile boolean isClosed;

  /**
   * How often a feed asks the database.
   *
   * @param poll between two polls while the database also sends notifications
   * @param retry before the next attempt after one that failed
   */
  public record Intervals(Duration poll, Duration retry) {
    /** The defaults: polls every three seconds, retries every second. */
    public static Intervals defaults() {
      return new Intervals(Duration.ofSeconds(3), Duration.ofSeconds(1));
    }
  }

  /**
   * That the database said what the version is.
   *
   * @param version which it was
   * @param at when that was
   */
  public record Look(long version, Instant at) {}

  private record Position(long version, long auditId) {}

  /** What the database says; seen is null if nothing of it is new. */
  private record News(Position position, @Nullable Seen seen) {}

  /**
   * What has changed.
   *
   * @param version the version that holds now
   * @param subjects what was changed since the one before, such as {@code key:7f3c…}; null: it is
   *     not known, so anything may have been
   */
  public record Seen(long version, @Nullable List<String> subjects) {
    public Seen {
      subjects = subjects == null ? null : List.copyOf(subjects);
    }

    /** Whether something of one of those kinds may have changed. */
    public boolean hasAny(String... kinds) {
      if (subjects == null) {
        return true;
      }
      for (String kind : kinds) {
        if (subjects.stream().anyMatch(subject -> subject.startsWith(kind + ":"))) {
          return true;
        }
      }
      return false;
    }
  }

  /** A feed that has not started. */
  public ChangeFeed(Database database) {
    this(database, Intervals.defaults());
  }

  /** A feed that has not started, with other intervals. */
  public ChangeFeed(Database database, Intervals intervals) {
    this.database = database;
    this.intervals = intervals;
    thread.setDaemon(true);
  }

  /**
   * Tells that listener too, on a thread of the feed: of the version that holds, once the database
   * can be read, and of every change from then on. What it throws is logged.
   */
  public void listen(Consumer<Seen> listener) {
    listeners.add(listener);
  }

  /** Starts telling those who listen by now. */
  public void start() {
    thread.start();
  }

  /** Has it look soon. */
  public void wake() {
    wakes.release();
  }

  /** When the database last said what the version is; null: never yet. */
  public @Nullable Look lastLook() {
    return lastLook;
  }

  /** Why the database could not be read the last time; null: it could, or nobody has tried yet. */
  public @Nullable String problem() {
    return problem;
  }

  private void run() {
    while (!isClosed) {
      try (Listening listening = Listening.open(database, wakes)) {
        // Only now: what changed while nobody listened is seen by this look.
        look();
        while (!isClosed) {
          listening.await(intervals.poll);
          look();
        }
      } catch (InterruptedException ended) {
        return;
      } catch (SQLException | RuntimeException failure) {
        lookWithoutListening(failure);
      }
      pause();
    }
  }

  /** Where only listening is impossible, changes are still seen, if later. */
  private void lookWithoutListening(Exception failure) {
    if (isClosed) {
      return;
    }
    try {
      look();
      LOGGER.log(
          System.Logger.Level.DEBUG,
          "{0} sends no word of changes, so it is asked: {1}",
          database,
          failure.getMessage());
    } catch (RuntimeException again) {
      // One that is not open yet says so itself.
      if (problem == null && database.isOpen()) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "changes cannot be read from {0}; what is known holds until they can: {1}",
            database,
            again.getMessage());
      }
      problem = String.valueOf(again.getMessage());
    }
  }

  /** Nobody interrupts the thread: an embedded database would close its file by that. */
  private void pause() {
    if (isClosed) {
      return;
    }
    try {
      wakes.tryAcquire(intervals.retry.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException ended) {
      isClosed = true;
    }
  }

  /**
   * Tells what is new, if anything is, before it returns.
   *
   * @throws dev.weir.control.database.DatabaseException if the database cannot be read
   */
  public synchronized void look() {
    // Before it is asked: what it says may have changed by the time that the answer is here.
    Instant now = Instant.now();
    News news = database.atOneMoment("read changes from", this::news);
    if (problem != null) {
      LOGGER.log(System.Logger.Level.INFO, "changes are read from {0} again", database);
    }
    problem = null;
    if (news.seen != null) {
      Seen seen = news.seen;
      position = news.position;
      listeners.forEach(listener -> tell(listener, seen));
    }
    // Only now: those who listen have been told.
    lastLook = new Look(news.position.version, now);
  }

  private static void tell(Consumer<Seen> listener, Seen news) {
    try {
      listener.accept(news);
    } catch (RuntimeException failure) {
      LOGGER.log(System.Logger.Level.ERROR, "a change was not taken in", failure);
    }
  }

  /** The version and its acts, as they are at one moment. */
  private News news(Handle handle) {
    Position before = position;
    long version = handle.createQuery("select version from config_version").mapTo(Long.class).one();
    if (before != null && version == before.version) {
      return new News(before, null);
    }
    long auditId =
        handle
            .createQuery("select coalesce(max(audit_id), 0) from admin_audit")
            .mapTo(Long.class)
            .one();
    // If it went back, the database was put into an earlier state.
    boolean isKnown = before != null && version > before.version;
    return new News(
        new Position(version, auditId),
        new Seen(version, before != null && isKnown ? subjects(handle, before.auditId) : null));
  }

  private static @Nullable List<String> subjects(Handle handle, long lastId) {
    List<String> subjects =
        handle
            .createQuery(
                "select distinct subject from admin_audit where audit_id > :last"
                    + " fetch first :most rows only")
            .bind("last", lastId)
            .bind("most", MOST_SUBJECTS + 1)
            .mapTo(String.class)
            .list();
    return subjects.isEmpty() || subjects.size() > MOST_SUBJECTS ? null : subjects;
  }

  /** Ends telling. */
  @Override
  public void close() {
    isClosed = true;
    wake();
    try {
      thread.join(PATIENCE.toMillis());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
