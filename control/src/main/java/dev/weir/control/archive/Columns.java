package dev.weir.control.archive;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** The columns of a row, one after the other. */
final class Columns {
  private final ResultSet row;
  private int column;

  Columns(ResultSet row) {
    this.row = row;
  }

  long number() throws SQLException {
    return row.getLong(++column);
  }

  @Nullable Long numberOrNull() throws SQLException {
    long value = row.getLong(++column);
    return row.wasNull() ? null : value;
  }

  @Nullable Integer smallNumberOrNull() throws SQLException {
    int value = row.getInt(++column);
    return row.wasNull() ? null : value;
  }

  boolean truth() throws SQLException {
    return row.getBoolean(++column);
  }

  String text() throws SQLException {
    return required(textOrNull());
  }

  @Nullable String textOrNull() throws SQLException {
    return row.getString(++column);
  }

  Instant time() throws SQLException {
    return required(timeOrNull());
  }

  @Nullable Instant timeOrNull() throws SQLException {
    OffsetDateTime time = row.getObject(++column, OffsetDateTime.class);
    return time == null ? null : time.toInstant();
  }

  byte @Nullable [] bytesOrNull() throws SQLException {
    return row.getBytes(++column);
  }

  private <T> T required(@Nullable T value) throws SQLException {
    if (value == null) {
      throw new SQLException(
          "%s must have a value, got null".formatted(row.getMetaData().getColumnLabel(column)));
    }
    return value;
  }
}
