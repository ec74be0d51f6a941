package dev.weir.control.quotas;

import dev.weir.control.change.Acts;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.rows.Imported;
import dev.weir.control.rows.TableValues;
import dev.weir.policy.TomlText;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Quotas in an export, as {@code [[quota]]}. What was used is not in it. */
public final class QuotaTables {
  /** The name of the tables. */
  public static final String TABLE = "quota";

  private static final Set<String> KEYS =
      Set.of(
          "user",
          "tier",
          "custom_limit_per_hour",
          "custom_limit_per_day",
          "custom_burst_size",
          "monthly_quota",
          "is_blocked",
          "block_reason",
          "blocked_until");

  private QuotaTables() {}

  /** What an import says of a user. */
  public record Entry(String user, QuotaSettings settings) {}

  /** Writes all rows that say something, in the order of their users. */
  public static void print(Handle handle, TomlText toml) {
    for (QuotaRow row : rows(handle).values()) {
      if (!row.settings().equals(QuotaSettings.none())) {
        print(row.user(), row.settings(), toml);
      }
    }
  }

  private static Map<String, QuotaRow> rows(Handle handle) {
    Map<String, QuotaRow> rows = new LinkedHashMap<>();
    handle
        .createQuery("select " + QuotaRow.COLUMNS + " from user_quotas order by user_id")
        .map((row, context) -> QuotaRow.of(row))
        .forEach(row -> rows.put(row.user(), row));
    return rows;
  }

  private static void print(String user, QuotaSettings settings, TomlText toml) {
    toml.element(TABLE).put("user", user);
    if (settings.tier() != null) {
      toml.put("tier", settings.tier());
    }
    putIfGiven(toml, "custom_limit_per_hour", settings.customLimitPerHour());
    putIfGiven(toml, "custom_limit_per_day", settings.customLimitPerDay());
    putIfGiven(toml, "custom_burst_size", settings.customBurstSize());
    putIfGiven(toml, "monthly_quota", settings.monthlyQuota());
    if (settings.isBlocked()) {
      toml.put("is_blocked", true);
    }
    if (settings.blockReason() != null) {
      toml.put("block_reason", settings.blockReason());
    }
    if (settings.blockedUntil() != null) {
      toml.put("blocked_until", settings.blockedUntil().toString());
    }
  }

  private static void putIfGiven(TomlText toml, String key, @Nullable Long value) {
    if (value != null) {
      toml.put(key, value);
    }
  }

  /**
   * Reads a table.
   *
   * @param values its strings, whole numbers, true and false
   * @param report is told what is wrong: the key, and the problem
   * @return null if something is wrong
   */
  public static @Nullable Entry read(Map<String, ?> values, BiConsumer<String, String> report) {
    TableValues table = new TableValues(values, report);
    table.requireOnly(KEYS);
    String user = table.required("user");
    QuotaSettings settings =
        new QuotaSettings(
            table.text("tier"),
            table.number("custom_limit_per_hour"),
            table.number("custom_limit_per_day"),
            table.number("custom_burst_size"),
            table.number("monthly_quota"),
            table.bool("is_blocked", false),
            table.text("block_reason"),
            table.instant("blocked_until"));
    try {
      settings.requireValid();
    } catch (ChangeRefused wrong) {
      table.report(wrong);
    }
    return table.isWrong() ? null : new Entry(user, settings);
  }

  /**
   * Makes the database say what was read. Of users who were not read nothing is said any more; what
   * they have used stays.
   *
   * @throws ChangeRefused if a user stands in the import twice
   */
  public static Imported apply(
      Handle handle, Acts acts, String actor, QuotaStore store, List<Entry> entries) {
    Imported imported = new Imported();
    Map<String, QuotaRow> left = rows(handle);
    Set<String> seen = new HashSet<>();
    for (Entry entry : entries) {
      if (!seen.add(entry.user)) {
        throw new ChangeRefused(
            ChangeRefused.Kind.CONFLICT,
            "user",
            "must stand in an import once, got \"" + entry.user + "\"");
      }
      QuotaRow before = left.remove(entry.user);
      if (before == null) {
        imported.create(
            store.write(handle, acts, actor, null, entry.user, entry.settings).subject());
      } else if (!before.settings().equals(entry.settings)) {
        imported.update(
            store.write(handle, acts, actor, before, entry.user, entry.settings).subject());
      }
    }
    for (QuotaRow gone : left.values()) {
      if (!gone.settings().equals(QuotaSettings.none())) {
        imported.delete(store.erase(handle, acts, actor, gone).subject());
      }
    }
    return imported;
  }
}
