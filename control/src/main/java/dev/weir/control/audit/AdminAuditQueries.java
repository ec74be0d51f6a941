package dev.weir.control.audit;

import dev.weir.control.change.AdminAudit;
import dev.weir.control.database.Database;
import dev.weir.control.query.Conditions;
import dev.weir.control.query.Cursor;
import dev.weir.control.query.InvalidQuery;
import dev.weir.policy.JsonText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what operators did, the newest first. Thread-safe. */
public final class AdminAuditQueries {
  /** How many a page may have. */
  public static final int MOST_ENTRIES = 1_000;

  private static final Cursor CURSOR = new Cursor('a', 1);

  private final Database database;

  /**
   * Some of the acts that were asked for, the newest first.
   *
   * @param next the cursor of the page behind it; null if there is none
   */
  public record Page(List<AdminAudit.Entry> entries, @Nullable String next) {
    public Page {
      entries = List.copyOf(entries);
    }

    /** As {@code {"entries": […], "next": …}}. */
    public String toJson() {
      JsonText json = new JsonText().putObjects("items", entries, Page::write);
      String cursor = next;
      return (cursor == null ? json.putRaw("next", "null") : json.put("next", cursor)).toString();
    }

    private static void write(JsonText json, AdminAudit.Entry entry) {
      json.put("audit_id", entry.id())
          .put("occurred_at", entry.at().toString())
          .put("actor", entry.actor())
          .put("act", entry.act())
          .put("subject", entry.subject())
          .putRaw("before", String.valueOf(entry.before()))
          .putRaw("after", String.valueOf(entry.after()))
          .put("version", entry.version());
    }
  }

  /** Those of a database. */
  public AdminAuditQueries(Database database) {
    this.database = database;
  }

  /**
   * A page.
   *
   * @param subject such as {@code rule:writes}; null: any
   * @param actor who did it; null: anybody
   * @param cursor the {@code next} of the page before; null for the first page
   * @param most how many entries, from 1 to 1,000
   * @throws InvalidQuery if that cannot be asked
   */
  public Page page(
      @Nullable String subject, @Nullable String actor, @Nullable String cursor, int most) {
    InvalidQuery.requireBetween("limit", most, 1, MOST_ENTRIES);
    Conditions conditions =
        new Conditions().is("subject", "subject", subject).is("actor", "actor", actor);
    if (cursor != null) {
      conditions.and("audit_id < :before", "before", CURSOR.place(cursor)[0]);
    }
    List<AdminAudit.Entry> entries =
        database.inTransaction(
            "read acts from",
            handle ->
                conditions
                    .bindTo(handle.createQuery(sql(conditions)))
                    .bind("most", most + 1)
                    .map((row, context) -> entry(row))
                    .list());
    return entries.size() <= most
        ? new Page(entries, null)
        : new Page(entries.subList(0, most), CURSOR.text(entries.get(most - 1).id()));
  }

  /** Rows, the newest first; parameters: those of the conditions, and {@code most}. */
  private static String sql(Conditions conditions) {
    return "select * from admin_audit%s order by audit_id desc limit :most"
        .formatted(conditions.where());
  }

  private static AdminAudit.Entry entry(ResultSet row) throws SQLException {
    return new AdminAudit.Entry(
        row.getLong("audit_id"),
        row.getObject("occurred_at", OffsetDateTime.class).toInstant(),
        row.getString("actor"),
        row.getString("act"),
        row.getString("subject"),
        row.getString("before_state"),
        row.getString("after_state"),
        row.getLong("version"));
  }
}
