package dev.weir.control.quotas;

import dev.weir.TimeSource;
import dev.weir.control.change.Acts;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.change.Changes;
import dev.weir.control.database.Database;
import dev.weir.control.rows.Columns;
import dev.weir.control.rows.Page;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code user_quotas}. Every change is audited and seen by all instances. Thread-safe;
 * calls wait for the database and throw a {@link dev.weir.control.database.DatabaseException} if it
 * cannot be used.
 */
public final class QuotaStore {
  private final Database database;
  private final Changes changes;
  private final TimeSource time;

  /** The quotas in that database; months are told by that clock. */
  public QuotaStore(Database database, Changes changes, TimeSource time) {
    this.database = database;
    this.changes = changes;
    this.time = time;
  }

  /** The same quotas, for changes that are validated and not kept. */
  public QuotaStore dryRun() {
    return new QuotaStore(database, changes.dryRun(), time);
  }

  /** What is known of a user; null if there is no row. */
  public @Nullable QuotaRow get(String user) {
    return Columns.isStorable(user)
        ? database.inTransaction("read a quota from", handle -> read(handle, user))
        : null;
  }

  private static @Nullable QuotaRow read(Handle handle, String user) {
    return handle
        .createQuery("select " + QuotaRow.COLUMNS + " from user_quotas where user_id = :user")
        .bind("user", user)
        .map((row, context) -> QuotaRow.of(row))
        .findOne()
        .orElse(null);
  }

  /**
   * Rows in the order of their users.
   *
   * @param after what the page before says is next; null: the first page
   * @param size how many at most, up to {@link Page#MOST}
   */
  public Page<QuotaRow> list(QuotaFilter filter, @Nullable String after, int size) {
    Page.requireSize(size);
    String tier = filter.tier();
    if ((tier != null && !Columns.isStorable(tier))
        || (after != null && !Columns.isStorable(after))) {
      return new Page<>(List.of(), null);
    }
    return database.inTransaction(
        "read quotas from",
        handle -> {
          var query =
              handle.createQuery(
                  "select "
                      + QuotaRow.COLUMNS
                      + " from user_quotas where 1 = 1"
                      + filter.condition()
                      + (after == null ? "" : " and user_id > :after")
                      + " order by user_id fetch first :size rows only");
          if (tier != null) {
            query.bind("tier", tier);
          }
          if (after != null) {
            query.bind("after", after);
          }
          return Page.of(
              query.bind("size", size + 1).map((row, context) -> QuotaRow.of(row)).list(),
              size,
              QuotaRow::user);
        });
  }

  /**
   * Users who have a row and in whose {@code user:<id>} the text is, in whatever case, in their
   * order.
   *
   * @param size how many at most, up to {@link Page#MOST}
   */
  public List<String> usersWith(String text, int size) {
    Page.requireSize(size);
    if (!Columns.isStorable(text)) {
      return List.of();
    }
    return database.inTransaction(
        "look for users in",
        handle ->
            handle
                .createQuery(
                    "select user_id from user_quotas where lower('user:' || user_id) like :text"
                        + " escape '!' order by user_id fetch first :size rows only")
                .bind("text", Columns.containing(text))
                .bind("size", size)
                .mapTo(String.class)
                .list());
  }

  /**
   * Replaces what is said of a user, who need not be known. What was used stays.
   *
   * @param version the one that the caller has seen, 0: there was no row; null: any will do
   * @throws ChangeRefused if it was changed in between, or if a value is not what it has to be
   */
  public QuotaRow put(String actor, String user, QuotaSettings settings, @Nullable Long version) {
    return update(actor, user, before -> settings, version);
  }

  /**
   * Changes what is said of a user, who need not be known. What was used stays.
   *
   * @param change of what is said now, nothing for a user without a row
   * @param version the one that the caller has seen, 0: there was no row; null: any will do
   * @throws ChangeRefused if it was changed in between, or if a value is not what it has to be
   */
  public QuotaRow update(
      String actor, String user, UnaryOperator<QuotaSettings> change, @Nullable Long version) {
    requireStorable(user);
    return changes.make(
        actor,
        (handle, acts) -> {
          QuotaRow before = read(handle, user);
          ChangeRefused.requireVersion(
              "quota:" + user, before == null ? 0 : before.version(), version);
          QuotaSettings settings =
              change.apply(before == null ? QuotaSettings.none() : before.settings());
          settings.requireValid();
          return write(handle, acts, actor, before, user, settings);
        });
  }

  /** Replaces what is said of a user, inside a change. */
  QuotaRow write(
      Handle handle,
      Acts acts,
      String actor,
      @Nullable QuotaRow before,
      String user,
      QuotaSettings settings) {
    if (before == null) {
      insert(handle, user, actor);
    }
    update(handle, actor, user, settings, before == null ? 1 : before.version() + 1);
    return recorded(handle, acts, before, user);
  }

  /**
   * Takes back all that was said of a user. The row stays: it knows what was used, and keys belong
   * to it.
   *
   * @param version the one that the caller has seen; null: any will do
   * @throws ChangeRefused if there is no row, or if it was changed in between
   */
  public QuotaRow clear(String actor, String user, @Nullable Long version) {
    requireStorable(user);
    return changes.make(
        actor,
        (handle, acts) -> {
          QuotaRow before = read(handle, user);
          if (before == null) {
            throw new ChangeRefused(
                ChangeRefused.Kind.NOT_FOUND, "user", "must have a quota, got \"" + user + "\"");
          }
          ChangeRefused.requireVersion(before.subject(), before.version(), version);
          return erase(handle, acts, actor, before);
        });
  }

  /** Takes back all that was said of a user, inside a change. */
  QuotaRow erase(Handle handle, Acts acts, String actor, QuotaRow before) {
    update(handle, actor, before.user(), QuotaSettings.none(), before.version() + 1);
    QuotaRow after = Objects.requireNonNull(read(handle, before.user()));
    acts.record("quota.delete", after.subject(), before.json(), after.json());
    return after;
  }

  /** Makes sure, in somebody else's change, that a user has a row. */
  public static void ensure(Handle handle, Acts acts, String user, String actor) {
    requireStorable(user);
    if (read(handle, user) == null) {
      insert(handle, user, actor);
      recorded(handle, acts, null, user);
    }
  }

  private static void requireStorable(String user) {
    if (!Columns.isStorable(user)) {
      throw new ChangeRefused(
          ChangeRefused.Kind.INVALID, "user", "must be text that a database can hold");
    }
  }

  private static QuotaRow recorded(
      Handle handle, Acts acts, @Nullable QuotaRow before, String user) {
    QuotaRow after = Objects.requireNonNull(read(handle, user));
    acts.record(
        before == null ? "quota.create" : "quota.update",
        after.subject(),
        before == null ? null : before.json(),
        after.json());
    return after;
  }

  private static void insert(Handle handle, String user, String actor) {
    handle
        .createUpdate("insert into user_quotas (user_id, updated_by) values (:user, :actor)")
        .bind("user", user)
        .bind("actor", actor)
        .execute();
  }

  private void update(
      Handle handle, String actor, String user, QuotaSettings settings, long version) {
    handle
        .createUpdate(
            "update user_quotas set tier = :tier, custom_limit_per_hour = :hour,"
                + " custom_limit_per_day = :day, custom_burst_size = :burst,"
                + " monthly_quota = :quota, quota_reset_at = :reset, is_blocked = :blocked,"
                + " block_reason = :reason, blocked_until = :until,"
                + " updated_at = current_timestamp, updated_by = :actor, version = :version"
                + " where user_id = :user")
        .bind("tier", settings.tier())
        .bind("hour", settings.customLimitPerHour())
        .bind("day", settings.customLimitPerDay())
        .bind("burst", settings.customBurstSize())
        .bind("quota", settings.monthlyQuota())
        .bind("reset", settings.monthlyQuota() == null ? null : QuotaRow.resetAfter(now()))
        .bind("blocked", settings.isBlocked())
        .bind("reason", settings.blockReason())
        .bind("until", settings.blockedUntil())
        .bind("version", version)
        .bind("actor", actor)
        .bind("user", user)
        .execute();
  }

  private Instant now() {
    return Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS);
  }
}
