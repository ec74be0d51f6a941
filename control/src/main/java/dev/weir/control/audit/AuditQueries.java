package dev.weir.control.audit;

import dev.weir.control.database.Database;
import dev.weir.control.query.Conditions;
import dev.weir.control.query.Cursor;
import dev.weir.control.query.InvalidQuery;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Finds decisions that were kept, the newest first. Thread-safe. */
public final class AuditQueries {
  /** How many a page may have. */
  public static final int MOST_ENTRIES = 1_000;

  private static final Cursor CURSOR = new Cursor('d', 2);

  private final Database database;

  /** Those of a database. */
  public AuditQueries(Database database) {
    this.database = database;
  }

  /**
   * A page. What comes meanwhile is newer than the pages that follow, and not in them.
   *
   * @param cursor the {@code next} of the page before; null for the first page
   * @param most how many entries, from 1 to 1,000
   * @throws InvalidQuery if that cannot be asked
   * @throws dev.weir.control.database.DatabaseException if the database cannot be used
   */
  public AuditPage page(AuditFilter filter, @Nullable String cursor, int most) {
    InvalidQuery.requireBetween("limit", most, 1, MOST_ENTRIES);
    Conditions conditions = conditions(filter, cursor);
    return database.inTransaction("read decisions from", handle -> page(handle, conditions, most));
  }

  /**
   * Writes all that match, the newest first, without having more than a page in memory.
   *
   * @return how many there were
   * @throws InvalidQuery if that cannot be asked; nothing is written then
   */
  public long export(AuditFilter filter, ExportFormat format, Writer target) throws IOException {
    Conditions first = conditions(filter, null);
    return database.withLongWork(
        "read decisions from",
        handle -> {
          target.write(format.head());
          long entries = 0;
          AuditPage page = page(handle, first, MOST_ENTRIES);
          while (true) {
            for (AuditEntry entry : page.entries()) {
              target.write(format.line(entry));
            }
            entries += page.entries().size();
            if (page.next() == null) {
              return entries;
            }
            page = page(handle, conditions(filter, page.next()), MOST_ENTRIES);
          }
        });
  }

  private static Conditions conditions(AuditFilter filter, @Nullable String cursor) {
    Conditions conditions = filter.conditions();
    if (cursor == null) {
      return conditions;
    }
    long[] place = CURSOR.place(cursor);
    // The first part says nothing new, but databases know by it where to begin.
    return conditions
        .and(
            "timestamp <= :until and (timestamp, log_id) < (:until, :log_id)",
            "until",
            Instant.EPOCH.plus(place[0], ChronoUnit.MICROS))
        .with("log_id", place[1]);
  }

  /** The columns, the newest first; parameters: those of the conditions, and {@code most}. */
  static String sql(Conditions conditions) {
    return "select log_id, %s from rate_limit_audit_logs%s order by timestamp desc, log_id desc limit :most"
        .formatted(AuditColumn.names(), conditions.where());
  }

  private static AuditPage page(Handle handle, Conditions conditions, int most) {
    // One more than asked for tells whether there is a next page.
    List<AuditEntry> entries =
        conditions
            .bindTo(handle.createQuery(sql(conditions)))
            .bind("most", most + 1)
            .map((row, context) -> AuditEntry.of(row))
            .list();
    if (entries.size() <= most) {
      return new AuditPage(entries, null);
    }
    AuditEntry last = entries.get(most - 1);
    return new AuditPage(
        entries.subList(0, most), CURSOR.text(last.record().timestampMicros(), last.logId()));
  }
}
