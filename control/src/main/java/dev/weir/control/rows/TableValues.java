package dev.weir.control.rows;

import dev.weir.control.change.ChangeRefused;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of one table of an import: strings, whole numbers ({@code Long}), true or false,
 * and lists. What is wrong is reported by key and problem, and read as if it were absent.
 */
public final class TableValues {
  private final Map<String, ?> values;
  private final BiConsumer<String, String> report;
  private boolean isWrong;

  /** The values of a table. */
  public TableValues(Map<String, ?> values, BiConsumer<String, String> report) {
    this.values = values;
    this.report = report;
  }

  /** Whether something was wrong. */
  public boolean isWrong() {
    return isWrong;
  }

  /** Reports that something is wrong. */
  public void report(String key, String problem) {
    isWrong = true;
    report.accept(key, problem);
  }

  /** Reports what a change would be refused for. */
  public void report(ChangeRefused refused) {
    String message = String.valueOf(refused.getMessage());
    String start = refused.field() + " ";
    report(
        refused.field(), message.startsWith(start) ? message.substring(start.length()) : message);
  }

  /** Reports every key that is not one of those. */
  public void requireOnly(Set<String> known) {
    for (String key : values.keySet()) {
      if (!known.contains(key)) {
        report(key, "is unknown");
      }
    }
  }

  /** A string that must be there. */
  public String required(String key) {
    if (values.get(key) == null) {
      report(key, "is missing");
      return "";
    }
    String text = text(key);
    return text == null ? "" : text;
  }

  /** A string; null if there is none. */
  public @Nullable String text(String key) {
    Object value = values.get(key);
    if (value == null || value instanceof String) {
      return (String) value;
    }
    report(key, "must be a string");
    return null;
  }

  /** A whole number; null if there is none. */
  public @Nullable Long number(String key) {
    Object value = values.get(key);
    if (value == null || value instanceof Long) {
      return (Long) value;
    }
    report(key, "must be a whole number");
    return null;
  }

  /** True or false. */
  public boolean bool(String key, boolean standard) {
    Object value = values.get(key);
    if (value == null || value instanceof Boolean) {
      return value == null ? standard : (Boolean) value;
    }
    report(key, "must be true or false");
    return standard;
  }

  /** Strings; none if there are none. */
  public List<String> texts(String key) {
    Object value = values.get(key);
    if (value == null) {
      return List.of();
    }
    if (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
      return list.stream().map(String.class::cast).toList();
    }
    report(key, "must be an array of strings");
    return List.of();
  }

  /** An instant; null if there is none. */
  public @Nullable Instant instant(String key) {
    String text = text(key);
    if (text == null) {
      return null;
    }
    try {
      return Instant.parse(text).truncatedTo(ChronoUnit.MICROS);
    } catch (DateTimeException wrong) {
      report(key, "must be a time such as 2026-12-01T00:00:00Z, got \"%s\"".formatted(text));
      return null;
    }
  }
}
