package dev.weir.control.change;

import dev.weir.control.database.Database;
import dev.weir.control.database.Vendor;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Waits for word of a change: from the database if it sends any, and from this process. */
final class Listening implements AutoCloseable {
  /** How long word from this process may wait behind waiting for that of the database. */
  private static final Duration GLANCE = Duration.ofMillis(100);

  private final Semaphore wakes;
  private final @Nullable Handle handle;

  private Listening(Semaphore wakes, @Nullable Handle handle) {
    this.wakes = wakes;
    this.handle = handle;
  }

  /** Listens from now on, to the database too if it is one that sends word. */
  static Listening open(Database database, Semaphore wakes) {
    if (database.vendor() != Vendor.POSTGRESQL) {
      return toThisProcess(wakes);
    }
    Handle handle = database.jdbiForLongWork().open();
    try {
      handle.execute("listen " + Changes.CHANNEL);
      return new Listening(wakes, handle);
    } catch (RuntimeException failure) {
      handle.close();
      throw failure;
    }
  }

  /** Listens to this process only. */
  static Listening toThisProcess(Semaphore wakes) {
    return new Listening(wakes, null);
  }

  /** Returns when there was word, or when the time is over. */
  void await(Duration patience) throws InterruptedException, SQLException {
    if (handle == null) {
      wakes.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
      wakes.drainPermits();
      return;
    }
    PGConnection connection = handle.getConnection().unwrap(PGConnection.class);
    long endNanos = System.nanoTime() + patience.toNanos();
    while (System.nanoTime() - endNanos < 0) {
      boolean isWoken = wakes.tryAcquire();
      wakes.drainPermits();
      if (isWoken || connection.getNotifications((int) GLANCE.toMillis()).length > 0) {
        return;
      }
    }
  }

  @Override
  public void close() {
    if (handle != null) {
      handle.close();
    }
  }
}
