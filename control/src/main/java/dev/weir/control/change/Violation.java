package dev.weir.control.change;

import dev.weir.control.change.ChangeRefused.Kind;
import dev.weir.control.database.DatabaseException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the schema says to a change that was let through up to there. */
final class Violation {
  /** Classes of SQL states: values that a type does not take, and constraints. */
  private static final List<String> OF_VALUES = List.of("22", "23");

  private static final String UNIQUE = "23505";

  /** Where both databases name a column. */
  private static final List<Pattern> COLUMNS =
      List.of(
          // Constraints are named by their table and column.
          Pattern.compile(
              "\\b(?:rate_limit_rules|tiers|endpoints|user_quotas|api_keys|blocks|exemptions)"
                  + "_(\\w+)_(?:check|key|fkey)\\b"),
          Pattern.compile("column \"(\\w+)\""),
          // Keys that are there already: of PostgreSQL, and of H2.
          Pattern.compile("key \\((\\w+)"),
          Pattern.compile(" on [\\w.]+\\((\\w+)"));

  private static final String NAME = "must be 1 to 255 characters long";
  private static final String TEXT = "must be at most 4,096 characters long";
  private static final String PERMITS = "must be a whole number from 1 to 1,000,000,000,000";
  private static final String OUT_OF_RANGE = "has a value that is out of range";

  /** Columns that callers know by another name. */
  private static final Map<String, String> FIELDS =
      Map.of(
          "user_id", "user",
          "key_name", "name",
          "rule_name", "name",
          "tier_name", "name",
          "endpoint_name", "name",
          "user_tier", "tier",
          "http_method", "method",
          "response_message", "message");

  /** What the schema expects of columns that nothing else has checked. */
  private static final Map<String, String> EXPECTED =
      Map.ofEntries(
          Map.entry("user_id", NAME),
          Map.entry("tier", NAME),
          Map.entry("user_tier", NAME),
          Map.entry("key_name", NAME),
          Map.entry("rule_name", "must be 1 to 255 letters, digits and any of _.-"),
          Map.entry("endpoint_name", "must be 1 to 255 letters, digits and any of _.-"),
          Map.entry("tier_name", "must be 1 to 50 lower-case letters, digits and _"),
          Map.entry("http_method", "must be 1 to 64 characters long"),
          Map.entry(
              "client",
              "must be user:<id>, key:<id> or ip:<address or range>, at most 255 characters of id"),
          Map.entry("reason", TEXT),
          Map.entry("block_reason", TEXT),
          Map.entry("response_message", TEXT),
          Map.entry("monthly_quota", PERMITS),
          Map.entry("custom_limit_per_hour", PERMITS),
          Map.entry("custom_limit_per_day", PERMITS),
          Map.entry("custom_burst_size", PERMITS),
          Map.entry("priority", "must be a whole number from -1,000,000 to 1,000,000"));

  private Violation() {}

  /** The refusal that a failure stands for, or the failure itself if it stands for none. */
  static RuntimeException of(DatabaseException failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SQLException refused
          && refused.getSQLState() != null
          && OF_VALUES.stream().anyMatch(refused.getSQLState()::startsWith)) {
        return of(refused);
      }
    }
    return failure;
  }

  private static ChangeRefused of(SQLException refused) {
    String column = field(refused);
    String field = FIELDS.getOrDefault(column, column);
    return refused.getSQLState().equals(UNIQUE)
        ? new ChangeRefused(Kind.CONFLICT, field, "must be new, but is there already")
        : new ChangeRefused(Kind.INVALID, field, EXPECTED.getOrDefault(column, OUT_OF_RANGE));
  }

  private static String field(SQLException refused) {
    // H2 repeats the statement behind that.
    String message =
        String.valueOf(refused.getMessage())
            .split("; SQL statement:", 2)[0]
            .toLowerCase(Locale.ROOT);
    for (Pattern pattern : COLUMNS) {
      Matcher column = pattern.matcher(message);
      if (column.find()) {
        return column.group(1);
      }
    }
    return "";
  }
}
