package dev.weir.control.database;

import com.zaxxer.hikari.pool.HikariPool;
import dev.weir.policy.config.DatabaseSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;

/**
 * A database whose schema is up to date. Thread-safe.
 *
 * <p>A call on a database that is gone, or silent, fails within about five seconds; the next one
 * tries anew, and works as soon as the database does. Nothing has to be opened again. One that is
 * opened in the background is like one that is gone until it is open.
 */
public final class Database implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(Database.class.getName());
  private static final int OLDEST_POSTGRESQL = 15;
  private static final int MONTHS_AHEAD = 12;

  /** After how long a failure that stays the same is news. */
  private static final Duration TELL_AGAIN = Duration.ofMinutes(10);

  private final DatabaseAddress address;

  private final Object lock = new Object();
  private volatile @Nullable Connections connections;
  private @Nullable DatabaseException lastFailure;

  /** Whether somebody has read in the log of a failure, and not that it is over. */
  private boolean isFailureTold;

  private long toldNanos;
  private boolean isClosed;

  private Database(DatabaseAddress address) {
    this.address = address;
  }

  /**
   * Opens a database, brings its schema up to date, and makes partitions for a year ahead.
   *
   * @param dataFolder where the file of an embedded database is, or will be
   * @throws DatabaseException if it cannot be reached, refuses the user, belongs to another
   *     process, or was used by a newer program
   */
  public static Database open(DatabaseSettings settings, Path dataFolder) {
    return open(settings, dataFolder, DatabaseTimeouts.defaults());
  }

  /** As {@link #open(DatabaseSettings, Path)}, with other timeouts. */
  public static Database open(
      DatabaseSettings settings, Path dataFolder, DatabaseTimeouts timeouts) {
    Database database = new Database(DatabaseAddress.of(settings, dataFolder, timeouts));
    database.keep(connect(database.address));
    return database;
  }

  /**
   * As {@link #open(DatabaseSettings, Path)}, but does not wait for it: a thread tries again and
   * again until it is open or closed. Until then every use of it fails with the reason why it is
   * not open.
   *
   * @throws DatabaseException if the settings can never be right
   */
  public static Database openInBackground(DatabaseSettings settings, Path dataFolder) {
    return openInBackground(settings, dataFolder, DatabaseTimeouts.defaults());
  }

  /** As {@link #openInBackground(DatabaseSettings, Path)}, with other timeouts. */
  public static Database openInBackground(
      DatabaseSettings settings, Path dataFolder, DatabaseTimeouts timeouts) {
    Database database = new Database(DatabaseAddress.of(settings, dataFolder, timeouts));
    database.inBackground(database::openAgainAndAgain);
    return database;
  }

  private void inBackground(Runnable task) {
    Thread opener = new Thread(task, "weir-database-open");
    opener.setDaemon(true);
    opener.start();
  }

  private static Connections connect(DatabaseAddress address) {
    // Held until the pool has connections, so that nobody else takes the file in between.
    try (Connection first = address.connect()) {
      requireSupported(address, first.getMetaData().getDatabaseMajorVersion());
      String schemaVersion = Migrations.migrate(address);
      return withPartitions(address, Connections.open(address, schemaVersion));
    } catch (SQLException e) {
      throw DatabaseException.connecting(address, e);
    } catch (HikariPool.PoolInitializationException e) {
      throw DatabaseException.cannot("connect to", address, e);
    }
  }

  private static Connections withPartitions(DatabaseAddress address, Connections opened) {
    Database database = new Database(address);
    database.connections = opened;
    try {
      Partitions.of(database).createAhead(YearMonth.now(ZoneOffset.UTC), MONTHS_AHEAD);
      return opened;
    } catch (JdbiException e) {
      opened.close();
      throw DatabaseException.cannot("make partitions in", address, e);
    }
  }

  private static void requireSupported(DatabaseAddress address, int version) {
    if (address.vendor() == Vendor.POSTGRESQL && version < OLDEST_POSTGRESQL) {
      throw new DatabaseException(
          "%s must be PostgreSQL %d or newer, got %d"
              .formatted(address, OLDEST_POSTGRESQL, version));
    }
  }

  private void openAgainAndAgain() {
    boolean goesOn = true;
    while (goesOn) {
      try {
        goesOn = !keep(connect(address));
      } catch (DatabaseException failure) {
        goesOn = failed(failure);
      } catch (RuntimeException failure) {
        goesOn = failed(DatabaseException.cannot("open", address, failure));
      }
    }
  }

  /** Returns whether there is nothing more to do. */
  private boolean keep(Connections opened) {
    synchronized (lock) {
      if (isClosed) {
        opened.close();
        return true;
      }
      connections = opened;
      opened.fileClosed().onNotice(failure -> openAgain(opened, failure));
      if (isFailureTold) {
        LOGGER.log(System.Logger.Level.INFO, "{0} is open now", address);
      }
      isFailureTold = false;
      lock.notifyAll();
      return true;
    }
  }

  /** An embedded database has closed its file; it is opened anew, as soon as that is possible. */
  private void openAgain(Connections useless, SQLException failure) {
    synchronized (lock) {
      if (isClosed || !useless.equals(connections)) {
        return;
      }
      connections = null;
      remember(DatabaseException.cannot("use", address, failure));
    }
    inBackground(
        () -> {
          useless.close();
          openAgainAndAgain();
        });
  }

  /** Remembers why, and waits; returns whether to try again. */
  private boolean failed(DatabaseException failure) {
    synchronized (lock) {
      remember(failure);
      waitUntil(System.nanoTime() + address.timeouts().retry().toNanos());
      return !isClosed;
    }
  }

  /** Says it too, unless that was said lately; the caller holds the lock. */
  private void remember(DatabaseException failure) {
    long now = System.nanoTime();
    boolean isNews =
        lastFailure == null
            || !String.valueOf(lastFailure.getMessage()).equals(failure.getMessage())
            || now - toldNanos > TELL_AGAIN.toNanos();
    if (isNews && !isClosed) {
      LOGGER.log(System.Logger.Level.WARNING, "{0}; this is tried again", failure.getMessage());
      toldNanos = now;
      isFailureTold = true;
    }
    lastFailure = failure;
  }

  /** Waits until it is open or closed, or that time has come; the caller holds the lock. */
  private void waitUntil(long endNanos) {
    long leftNanos = endNanos - System.nanoTime();
    while (connections == null && !isClosed && leftNanos > 0) {
      try {
        // Never 0, which would be for ever.
        lock.wait(leftNanos / 1_000_000 + 1);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return;
      }
      leftNanos = endNanos - System.nanoTime();
    }
  }

  /** Waits until it is open, but not longer than that; returns whether it is. */
  public boolean awaitOpen(Duration patience) {
    synchronized (lock) {
      waitUntil(System.nanoTime() + patience.toNanos());
      return connections != null;
    }
  }

  /** Whether it is open: then it may still be out of reach, but not for the first time. */
  public boolean isOpen() {
    return connections != null;
  }

  private Connections connections() {
    Connections opened = connections;
    if (opened != null) {
      return opened;
    }
    synchronized (lock) {
      if (connections != null) {
        return connections;
      }
      throw lastFailure == null
          ? new DatabaseException("%s is not open yet".formatted(address))
          : new DatabaseException(String.valueOf(lastFailure.getMessage()), lastFailure);
    }
  }

  /** Which database it is. */
  public Vendor vendor() {
    return address.vendor();
  }

  /** The version of the schema, such as {@code 2}. */
  public String schemaVersion() {
    return connections().schemaVersion();
  }

  /**
   * For calls that take milliseconds: on connections that are kept, and with an end to waiting.
   * Texts are bound as they are, also for JSON and addresses; instants and dates are as they are
   * whatever the time zone.
   *
   * @throws DatabaseException if it is not open yet
   */
  public Jdbi jdbi() {
    return connections().jdbi();
  }

  /**
   * For work that may take minutes, and for waiting: each handle has a connection of its own, which
   * is given up only after ten minutes of silence.
   *
   * @throws DatabaseException if it is not open yet
   */
  public Jdbi jdbiForLongWork() {
    return connections().jdbiForLongWork();
  }

  /**
   * Does something short in a transaction, which is undone if it throws.
   *
   * @param what such as {@code change}, for the message if it fails
   * @throws DatabaseException if the database cannot be used, or refuses
   */
  public <T, X extends Exception> T inTransaction(String what, HandleCallback<T, X> work) throws X {
    return inTransaction(TransactionIsolationLevel.READ_COMMITTED, what, work);
  }

  /**
   * Reads several things as they are at one moment, whatever others change meanwhile.
   *
   * @param what such as {@code read rules from}, for the message if it fails
   * @throws DatabaseException if the database cannot be used
   */
  public <T, X extends Exception> T atOneMoment(String what, HandleCallback<T, X> work) throws X {
    return inTransaction(TransactionIsolationLevel.REPEATABLE_READ, what, work);
  }

  private <T, X extends Exception> T inTransaction(
      TransactionIsolationLevel level, String what, HandleCallback<T, X> work) throws X {
    AtomicBoolean isDone = new AtomicBoolean();
    try {
      return jdbi()
          .inTransaction(
              level,
              handle -> {
                T result = work.withHandle(handle);
                isDone.set(true);
                return result;
              });
    } catch (JdbiException e) {
      throw isDone.get()
          ? DatabaseException.atTheEnd(what, address, e)
          : DatabaseException.cannot(what, address, e);
    }
  }

  /**
   * Does something that may take minutes, on a connection of its own and without a transaction.
   *
   * @param what such as {@code read}, for the message if it fails
   * @throws DatabaseException if the database cannot be used, or refuses
   */
  public <T, X extends Exception> T withLongWork(String what, HandleCallback<T, X> work) throws X {
    try {
      return jdbiForLongWork().withHandle(work);
    } catch (JdbiException e) {
      throw DatabaseException.cannot(what, address, e);
    }
  }

  /** Ends all connections that are kept, and the attempts to make some. */
  @Override
  public void close() {
    synchronized (lock) {
      isClosed = true;
      lock.notifyAll();
      if (connections != null) {
        connections.close();
      }
    }
  }

  /** Where it is, without secrets. */
  @Override
  public String toString() {
    return address.toString();
  }
}
