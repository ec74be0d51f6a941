package dev.weir.control.change;

import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.control.database.DatabaseException;
import dev.weir.control.database.Vendor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Makes changes of what is configured: rules, tiers, endpoints, keys, quotas, blocks, exemptions.
 *
 * <p>Each is one transaction, together with its rows of {@link AdminAudit}; when {@link #make}
 * returns, all of it is on disk. All instances make them one after the other, so that a change may
 * look at all that is there, and each has a version of its own. Thread-safe.
 */
public final class Changes {
  static final String CHANNEL = "weir_changes";

  private final Database database;
  private final TimeSource time;
  private final boolean isDryRun;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** Changes in that database. */
  public Changes(Database database) {
    this(database, TimeSource.system());
  }

  /** Changes in that database, dated by that clock. */
  public Changes(Database database, TimeSource time) {
    this(database, time, false);
  }

  private Changes(Database database, TimeSource time, boolean isDryRun) {
    this.database = database;
    this.time = time;
    this.isDryRun = isDryRun;
  }

  /** The same changes, validated and reported in the same way, of which nothing stays. */
  public Changes dryRun() {
    return new Changes(database, time, true);
  }

  /** What a change does in its transaction. */
  @FunctionalInterface
  public interface Change<T> {
    /**
     * Does it.
     *
     * @throws ChangeRefused to refuse; then nothing has changed
     */
    T apply(Handle handle, Acts acts);
  }

  /**
   * Makes a change.
   *
   * @param actor who wants it, for the audit
   * @throws ChangeRefused if it cannot be, because of what was asked for
   * @throws dev.weir.control.database.DatabaseException if the database cannot be used; then
   *     nothing has changed, unless that is {@link DatabaseException#isOutcomeUnknown not known}
   */
  public <T> T make(String actor, Change<T> change) {
    if (isDryRun) {
      return tryOut(actor, change);
    }
    T result = inTransaction("change something in", handle -> apply(handle, actor, change));
    listeners.forEach(Runnable::run);
    return result;
  }

  /** Finds out what a change would do; nothing of it stays. */
  public <T> T tryOut(String actor, Change<T> change) {
    return inTransaction(
        "try something out in",
        handle -> {
          T result = apply(handle, actor, change);
          handle.rollback();
          return result;
        });
  }

  private <T> T inTransaction(String what, Function<Handle, T> work) {
    try {
      return database.inTransaction(what, work::apply);
    } catch (DatabaseException failure) {
      throw Violation.of(failure);
    }
  }

  private <T> T apply(Handle handle, String actor, Change<T> change) {
    boolean notifies = database.vendor() == Vendor.POSTGRESQL;
    if (notifies) {
      handle.execute("set local synchronous_commit = on");
    }
    // Whoever holds this row is the only one who changes anything.
    handle.execute("update config_version set version = version + 1, changed_at = now()");
    long version = handle.createQuery("select version from config_version").mapTo(Long.class).one();
    AdminAudit.Recorded acts = new AdminAudit.Recorded(actor, version, time);
    T result = change.apply(handle, acts);
    acts.write(handle);
    if (notifies) {
      handle.execute("select pg_notify(?, ?)", CHANNEL, Long.toString(version));
    }
    return result;
  }

  /** Does that after each change that was made in this process. */
  public void onChange(Runnable listener) {
    listeners.add(listener);
  }
}
