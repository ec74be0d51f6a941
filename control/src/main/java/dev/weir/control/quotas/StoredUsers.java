package dev.weir.control.quotas;

import dev.weir.Limit;
import dev.weir.TimeSource;
import dev.weir.control.change.ChangeFeed;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.database.Database;
import dev.weir.control.rows.CacheOptions;
import dev.weir.control.rows.CacheStatistics;
import dev.weir.control.rows.Columns;
import dev.weir.control.rows.RowCache;
import dev.weir.policy.Bookmark;
import dev.weir.policy.OwnLimits;
import dev.weir.policy.Users;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The users of the database as requests know them: from memory, by way of a {@link RowCache}.
 * Thread-safe.
 *
 * <p>Counters that live in this process know nothing of what a user has used of the month before
 * the process started. The database does, so it is charged to them once, before the first request
 * is held against the quota.
 */
public final class StoredUsers implements Users, AutoCloseable {
  private static final System.Logger LOGGER = System.getLogger(StoredUsers.class.getName());
  private static final String SUBJECT = "quota:";

  private final Database database;
  private final TimeSource time;
  private final MonthCharge charge;
  private final RowCache<String, User> cache;

  /** Users whose month has been charged; as many as have a quota and were seen. */
  private final Map<String, Boolean> charged = new ConcurrentHashMap<>();

  /** Charges a counter with what was used of this month. */
  @FunctionalInterface
  public interface MonthCharge {
    /** Charges it. */
    void charge(User user, long used);
  }

  /**
   * The users of that database.
   *
   * @param time what months and ages are told by
   * @param charge is called once for each user with a quota, before the user is known; for counters
   *     that outlive the process it does nothing
   */
  public StoredUsers(Database database, CacheOptions options, TimeSource time, MonthCharge charge) {
    this.database = database;
    this.time = time;
    this.charge = charge;
    this.cache = new RowCache<>("users", this::read, this::names, options, time);
  }

  @Override
  public @Nullable User find(String id) {
    return cache.find(id, time.nowMicros());
  }

  @Override
  public @Nullable User find(String id, Bookmark bookmark) {
    return cache.find(id, bookmark, time.nowMicros());
  }

  @Override
  public @Nullable CompletionStage<?> awaited(String id) {
    return cache.awaited(id, time.nowMicros());
  }

  /**
   * Reads again what has changed, before it returns. If it cannot be read, what is known holds, and
   * it is tried again every second.
   */
  public void changed(ChangeFeed.Seen seen) {
    List<String> subjects = seen.subjects();
    if (subjects == null) {
      cache.readAll();
      return;
    }
    cache.changed(
        subjects.stream()
            .filter(subject -> subject.startsWith(SUBJECT))
            .map(subject -> subject.substring(SUBJECT.length()))
            .toList());
  }

  /** Reads all of them, before it returns, as {@link #changed} does. */
  public void readAll() {
    cache.readAll();
  }

  private List<String> names(long most) {
    return database.inTransaction(
        "read users from",
        handle ->
            handle
                .createQuery(
                    "select user_id from user_quotas"
                        + " order by last_request_at desc nulls last fetch first :most rows only")
                .bind("most", most)
                .mapTo(String.class)
                .list());
  }

  /** How the memory of users does. */
  public CacheStatistics statistics() {
    return cache.statistics();
  }

  private Map<String, User> read(Collection<String> users) {
    List<String> storable = users.stream().filter(Columns::isStorable).toList();
    return storable.isEmpty() ? Map.of() : readStorable(storable);
  }

  private Map<String, User> readStorable(List<String> users) {
    List<QuotaRow> rows =
        database.inTransaction(
            "read users from",
            handle ->
                handle
                    .createQuery(
                        "select "
                            + QuotaRow.COLUMNS
                            + " from user_quotas where user_id in (<users>)")
                    .bindList("users", users)
                    .map((row, context) -> QuotaRow.of(row))
                    .list());
    Instant now = Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS);
    Map<String, User> found = new HashMap<>();
    for (QuotaRow row : rows) {
      found.put(row.user(), user(row, now));
    }
    return found;
  }

  private User user(QuotaRow row, Instant now) {
    QuotaSettings settings = row.settings();
    User user =
        new User(
            row.user(), settings.tier(), OwnLimits.ofUser(limits(row), settings.monthlyQuota()));
    if (settings.monthlyQuota() != null) {
      charged.computeIfAbsent(
          row.user(),
          any -> {
            charge.charge(user, row.usedThisMonth(now));
            return true;
          });
    }
    return user;
  }

  /** What was written by hand may be wrong; the tier still limits the user. */
  private static List<Limit> limits(QuotaRow row) {
    try {
      return row.settings().ownLimits();
    } catch (ChangeRefused wrong) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "the own limits of user {0} do not hold: {1}",
          row.user(),
          wrong.getMessage());
      return List.of();
    }
  }

  /** Looks nothing up any more. */
  @Override
  public void close() {
    cache.close();
  }
}
