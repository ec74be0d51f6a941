package dev.weir.control.audit;

import dev.weir.policy.JsonText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

/**
 * A decision as it is in the database.
 *
 * @param logId its number; with its time it says where it is in the order
 * @param record what was kept of it
 */
public record AuditEntry(long logId, AuditRecord record) {

  /** Reads a row that has all columns. */
  static AuditEntry of(ResultSet row) throws SQLException {
    AuditRecord.Builder builder = new AuditRecord.Builder();
    for (AuditColumn each : AuditColumn.ALL) {
      String name = each.toString();
      switch (each.type()) {
        case TEXT, ADDRESS -> builder.putAsIs(each, row.getString(name));
        case FLAG -> builder.put(each, row.getBoolean(name));
        case LONG, INTEGER -> {
          long number = row.getLong(name);
          if (!row.wasNull()) {
            builder.put(each, number);
          }
        }
        case TIME -> {
          OffsetDateTime time = row.getObject(name, OffsetDateTime.class);
          if (time != null) {
            builder.put(each, AuditRecord.micros(time.toInstant()));
          }
        }
      }
    }
    return new AuditEntry(row.getLong("log_id"), builder.build());
  }

  /** Adds its members, under the names of the columns; what is not known is left out. */
  public void writeTo(JsonText json) {
    json.put("log_id", logId);
    for (AuditColumn each : AuditColumn.ALL) {
      if (record.has(each)) {
        switch (each.type()) {
          case FLAG -> json.put(each.toString(), record.flag(each));
          case LONG, INTEGER -> json.put(each.toString(), record.number(each));
          case TEXT, ADDRESS, TIME -> json.put(each.toString(), text(each));
        }
      }
    }
  }

  /** As one object of JSON. */
  public String toJson() {
    JsonText json = new JsonText();
    writeTo(json);
    return json.toString();
  }

  /** A value as text; empty if there is none. */
  String text(AuditColumn column) {
    if (!record.has(column)) {
      return "";
    }
    return switch (column.type()) {
      case TEXT, ADDRESS -> String.valueOf(record.text(column));
      case FLAG -> Boolean.toString(record.flag(column));
      case LONG, INTEGER -> Long.toString(record.number(column));
      case TIME -> Instant.EPOCH.plus(record.number(column), ChronoUnit.MICROS).toString();
    };
  }
}
