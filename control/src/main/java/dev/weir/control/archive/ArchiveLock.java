package dev.weir.control.archive;

import dev.weir.control.database.Database;
import dev.weir.control.database.Vendor;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * Lets one run at a time work on a database. On PostgreSQL it is held by a connection, and ends
 * with it if this process dies; an embedded database belongs to this process alone.
 */
final class ArchiveLock implements AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(ArchiveLock.class.getName());

  /** Any number that nobody else uses. */
  private static final long LOCK = 0x77656972_61726368L;

  /** Embedded databases that are being worked on, by where they are. */
  private static final Set<String> EMBEDDED = ConcurrentHashMap.newKeySet();

  private final String database;
  private final @Nullable Handle connection;

  private ArchiveLock(String database, @Nullable Handle connection) {
    this.database = database;
    this.connection = connection;
  }

  /** The lock; nothing if somebody else has it. */
  static Optional<ArchiveLock> tryTake(Database database) {
    if (database.vendor() == Vendor.H2) {
      String name = database.toString();
      return EMBEDDED.add(name) ? Optional.of(new ArchiveLock(name, null)) : Optional.empty();
    }
    Handle connection = database.jdbiForLongWork().open();
    try {
      boolean isOurs =
          connection
              .createQuery("select pg_try_advisory_lock(" + LOCK + ")")
              .mapTo(Boolean.class)
              .one();
      if (isOurs) {
        return Optional.of(new ArchiveLock(database.toString(), connection));
      }
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
    connection.close();
    return Optional.empty();
  }

  /** Fails if the connection is lost: then somebody else may have the lock already. */
  void requireHeld() {
    if (connection != null) {
      connection.createQuery("select 1").mapTo(Integer.class).one();
    }
  }

  /** Gives it back at once: a connection that has ended may hold it a moment longer. */
  @Override
  public void close() {
    if (connection == null) {
      EMBEDDED.remove(database);
      return;
    }
    try (Handle held = connection) {
      held.createQuery("select pg_advisory_unlock(" + LOCK + ")").mapTo(Boolean.class).one();
    } catch (JdbiException lost) {
      LOGGER.log(System.Logger.Level.DEBUG, "the lock went with its connection", lost);
    }
  }
}
