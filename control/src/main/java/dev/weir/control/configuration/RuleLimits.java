package dev.weir.control.configuration;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.TokenBucket;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits of a rule as columns. If all of them are per second, minute, hour or day, in that
 * order, and count alike, they are in {@code requests_per_*}; else all of them are texts in {@code
 * limits}, so that their order stays.
 */
final class RuleLimits {
  private static final String BURST = "burst_size";

  /** Columns and what their numbers are for, in the order in which they are read. */
  private static final Map<String, String> PERIODS = new LinkedHashMap<>();

  static {
    PERIODS.put("requests_per_second", "s");
    PERIODS.put("requests_per_minute", "m");
    PERIODS.put("requests_per_hour", "h");
    PERIODS.put("requests_per_day", "d");
  }

  private RuleLimits() {}

  static void put(Map<String, @Nullable Object> columns, List<Limit> limits) {
    columns.put("algorithm", Algorithm.TOKEN_BUCKET.toString());
    columns.put(BURST, null);
    PERIODS.keySet().forEach(column -> columns.put(column, null));
    columns.put("limits", List.of());
    if (limits.isEmpty()) {
      return;
    }
    Limit first = limits.get(0);
    Long burst = first instanceof TokenBucket bucket ? (Long) bucket.burst() : null;
    boolean isUsual = burst != null && burst == first.permits();
    if (!putNumbers(columns, limits, first.algorithm(), isUsual ? null : burst)) {
      columns.put("limits", limits.stream().map(Limit::toString).toList());
    }
  }

  /** Writes them as numbers if that says the same; else nothing. */
  private static boolean putNumbers(
      Map<String, @Nullable Object> columns,
      List<Limit> limits,
      Algorithm algorithm,
      @Nullable Long burst) {
    Map<String, @Nullable Object> numbers = new LinkedHashMap<>();
    Iterator<Map.Entry<String, String>> periods = PERIODS.entrySet().iterator();
    for (Limit limit : limits) {
      boolean isFound = false;
      while (!isFound && periods.hasNext()) {
        Map.Entry<String, String> period = periods.next();
        isFound = limit.equals(parsed(limit.permits(), period.getValue(), algorithm, burst));
        if (isFound) {
          numbers.put(period.getKey(), limit.permits());
        }
      }
      if (!isFound) {
        return false;
      }
    }
    columns.putAll(numbers);
    columns.put("algorithm", algorithm.toString());
    columns.put(BURST, burst);
    return true;
  }

  private static @Nullable Limit parsed(
      long permits, String period, Algorithm algorithm, @Nullable Long burst) {
    try {
      String text = permits + "/" + period + " " + algorithm;
      return Limit.parse(burst == null ? text : text + " burst " + burst);
    } catch (IllegalArgumentException cannotBe) {
      return null;
    }
  }

  static void addTo(Map<String, Object> document, Map<String, @Nullable Object> row) {
    List<Object> limits = new ArrayList<>();
    for (Map.Entry<String, String> period : PERIODS.entrySet()) {
      Object permits = row.get(period.getKey());
      if (permits != null) {
        limits.add(permits + "/" + period.getValue());
      }
    }
    limits.addAll(Columns.texts(row, "limits"));
    if (!limits.isEmpty()) {
      document.put("limits", limits);
      Columns.put(document, "algorithm", row, "algorithm");
      Columns.put(document, "burst", row, BURST);
    }
  }
}
