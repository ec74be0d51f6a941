package dev.weir.control.change;

import dev.weir.control.change.ChangeRefused.Kind;
import dev.weir.control.database.DatabaseException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
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
    String field = field(refused);
    return refused.getSQLState().equals(UNIQUE)
        ? new ChangeRefused(Kind.CONFLICT, field, "must be new, but is there already")
        : new ChangeRefused(Kind.INVALID, field, "is not what the database takes");
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
