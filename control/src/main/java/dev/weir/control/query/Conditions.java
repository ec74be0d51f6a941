package dev.weir.control.query;

import dev.weir.control.outbox.StorableText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/** What rows must hold to be found; all values are bound, none is part of the SQL. */
public final class Conditions {
  private final List<String> texts = new ArrayList<>();
  private final Map<String, Object> values = new LinkedHashMap<>();

  /**
   * The column must have that value.
   *
   * @param field what the caller knows it by
   * @param text null: any
   * @throws InvalidQuery if no column can have it
   */
  public Conditions is(String field, String column, @Nullable String text) {
    if (text == null) {
      return this;
    }
    if (!StorableText.of(text, Integer.MAX_VALUE).equals(text)) {
      throw new InvalidQuery(field, "must be a text without NUL and without half a pair");
    }
    return and(column + " = :" + column, column, text);
  }

  /** The column must be in a span of time; null: without an end on that side. */
  public Conditions between(String column, @Nullable Instant from, @Nullable Instant to) {
    if (from != null && to != null && from.isAfter(to)) {
      throw new InvalidQuery("from", "must not be after to, got %s and %s".formatted(from, to));
    }
    if (from != null) {
      and(column + " >= :from", "from", from);
    }
    return to == null ? this : and(column + " < :to", "to", to);
  }

  /** A condition with a value that it refers to as {@code :name}. */
  public Conditions and(String condition, String name, Object value) {
    texts.add(condition);
    return with(name, value);
  }

  /** Another value that a condition refers to. */
  public Conditions with(String name, Object value) {
    values.put(name, value);
    return this;
  }

  /** {@code where} and all of them, with a space before it; nothing if there are none. */
  public String where() {
    return texts.isEmpty() ? "" : " where " + String.join(" and ", texts);
  }

  /** Gives the values to a query. */
  public Query bindTo(Query query) {
    values.forEach(query::bind);
    return query;
  }
}
