package dev.weir.control.configuration;

import dev.weir.control.configuration.Columns.UnreadableColumn;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.Mistake;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jspecify.annotations.Nullable;

/** Entries in the tables of the database, in the transaction of a handle. */
final class Rows {
  private final Handle handle;

  Rows(Handle handle) {
    this.handle = handle;
  }

  /** All of a kind, by name. */
  List<Entry> all(EntryKind kind) {
    return handle
        .createQuery("select * from %s order by %s".formatted(kind.table(), kind.nameColumn()))
        .map((row, context) -> entry(kind, row))
        .list();
  }

  /** Users who are blocked by their own rows, as blocks. */
  List<Entry> blockedUsers() {
    return handle
        .createQuery(
            "select 'user:' || user_id as client, coalesce(block_reason, '') as reason,"
                + " blocked_until, version, created_at, null as created_by, updated_at, updated_by"
                + " from user_quotas where is_blocked order by user_id")
        .map((row, context) -> entry(EntryKind.BLOCK, row))
        .list();
  }

  Optional<Entry> find(EntryKind kind, String name) {
    return handle
        .createQuery("select * from %s where %s = :name".formatted(kind.table(), kind.nameColumn()))
        .bind("name", name)
        .map((row, context) -> entry(kind, row))
        .findOne();
  }

  private static Entry entry(EntryKind kind, ResultSet row) throws SQLException {
    Map<String, @Nullable Object> columns = columns(row);
    String name = String.valueOf(columns.get(kind.nameColumn()));
    try {
      return new Entry(
          kind,
          name,
          kind.columns().document(columns),
          new Entry.Row(
              (Long) Objects.requireNonNull(columns.get("version")),
              (Instant) Objects.requireNonNull(columns.get("created_at")),
              (String) columns.get("created_by"),
              (Instant) Objects.requireNonNull(columns.get("updated_at")),
              (String) columns.get("updated_by")));
    } catch (UnreadableColumn wrong) {
      String place = new Entry(kind, name, Map.of(), null).place();
      throw new ConfigException(
          List.of(new Mistake(place, wrong.column(), String.valueOf(wrong.getMessage()))));
    }
  }

  private static Map<String, @Nullable Object> columns(ResultSet row) throws SQLException {
    Map<String, @Nullable Object> columns = new LinkedHashMap<>();
    ResultSetMetaData types = row.getMetaData();
    for (int i = 1; i <= types.getColumnCount(); i++) {
      columns.put(types.getColumnLabel(i), value(row, i, types.getColumnType(i)));
    }
    return columns;
  }

  private static @Nullable Object value(ResultSet row, int column, int type) throws SQLException {
    Object value =
        switch (type) {
          case Types.BIGINT, Types.INTEGER -> row.getLong(column);
          case Types.BOOLEAN, Types.BIT -> row.getBoolean(column);
          case Types.ARRAY -> texts(row.getArray(column));
          // PostgreSQL's driver has one name for both.
          case Types.TIMESTAMP, Types.TIMESTAMP_WITH_TIMEZONE ->
              instant(row.getObject(column, OffsetDateTime.class));
          default -> row.getString(column);
        };
    return row.wasNull() ? null : value;
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }

  private static List<String> texts(@Nullable Array array) throws SQLException {
    List<String> texts = new ArrayList<>();
    if (array != null) {
      for (Object text : (Object[]) array.getArray()) {
        texts.add(String.valueOf(text));
      }
    }
    return texts;
  }

  /** Adds a row. */
  void insert(EntryKind kind, Map<String, @Nullable Object> columns, String actor) {
    insert(kind, List.of(columns), actor);
  }

  /** Adds rows, which have the same columns. */
  void insert(EntryKind kind, List<Map<String, @Nullable Object>> rows, String actor) {
    if (rows.isEmpty()) {
      return;
    }
    Set<String> names = rows.get(0).keySet();
    PreparedBatch insert =
        handle.prepareBatch(
            "insert into %s (%s, created_by, updated_by) values (:%s, :actor, :actor)"
                .formatted(kind.table(), String.join(", ", names), String.join(", :", names)));
    rows.forEach(columns -> bind(insert, columns).bind("actor", actor).add());
    insert.execute();
  }

  /** Changes a row that is there. */
  void update(EntryKind kind, Map<String, @Nullable Object> columns, String actor) {
    update(kind, List.of(columns), actor);
  }

  /** Changes rows that are there; they have the same columns. */
  void update(EntryKind kind, List<Map<String, @Nullable Object>> rows, String actor) {
    if (rows.isEmpty()) {
      return;
    }
    String values =
        rows.get(0).keySet().stream()
            .map(column -> column + " = :" + column)
            .collect(Collectors.joining(", "));
    PreparedBatch update =
        handle.prepareBatch(
            ("update %s set %s, version = version + 1, updated_at = current_timestamp,"
                    + " updated_by = :actor where %s = :%3$s")
                .formatted(kind.table(), values, kind.nameColumn()));
    rows.forEach(columns -> bind(update, columns).bind("actor", actor).add());
    update.execute();
  }

  /** Removes rows. */
  void delete(EntryKind kind, List<String> names) {
    if (names.isEmpty()) {
      return;
    }
    PreparedBatch delete =
        handle.prepareBatch(
            "delete from %s where %s = :name".formatted(kind.table(), kind.nameColumn()));
    names.forEach(name -> delete.bind("name", name).add());
    delete.execute();
  }

  private static PreparedBatch bind(PreparedBatch batch, Map<String, @Nullable Object> columns) {
    columns.forEach(
        (column, value) -> {
          if (value == null) {
            batch.bindNull(column, Types.VARCHAR);
          } else if (value instanceof List<?> texts) {
            batch.bindArray(column, String.class, texts);
          } else {
            batch.bind(column, value);
          }
        });
    return batch;
  }
}
