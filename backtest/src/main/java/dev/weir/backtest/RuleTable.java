package dev.weir.backtest;

import dev.weir.backtest.BacktestReport.RuleRow;
import dev.weir.policy.Cause;
import dev.weir.policy.Outcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What each rule does and did. A log can name any number of rules; those past a bound are one. */
final class RuleTable {
  private static final int MOST_RULES = 20_000;
  private static final String OTHERS = "(others)";

  private final Map<String, Row> rows = new HashMap<>();

  private static final class Row {
    final Sums sums = new Sums();
    long shadowRefused;
  }

  /** A request that is decided by {@code rule} now and was decided by {@code ruleThen} before. */
  void add(String rule, Outcome now, @Nullable String ruleThen, @Nullable Outcome then) {
    Row row = row(rule);
    row.sums.addAfter(now);
    if (then == null) {
      return;
    }
    Row rowThen = ruleThen == null || ruleThen.equals(rule) ? row : row(ruleThen);
    rowThen.sums.addBefore(then);
    if (now != then) {
      if (then == Outcome.ALLOWED) {
        row.sums.addNewlyRefused();
      } else if (now == Outcome.ALLOWED) {
        rowThen.sums.addNoLongerRefused();
      }
    }
  }

  void addShadow(String rule) {
    row(rule).shadowRefused++;
  }

  private Row row(String rule) {
    Row known = rows.get(rule);
    if (known != null) {
      return known;
    }
    return rows.computeIfAbsent(rows.size() < MOST_RULES ? rule : OTHERS, name -> new Row());
  }

  /** What stands in the place of a rule when none had a say. */
  static String nameOf(@Nullable String rule, @Nullable Cause cause) {
    return rule == null ? "(" + (cause == null ? "unknown" : cause) + ")" : rule;
  }

  List<RuleRow> rows() {
    List<RuleRow> list = new ArrayList<>();
    rows.forEach(
        (rule, row) -> list.add(new RuleRow(rule, row.sums.comparison(), row.shadowRefused)));
    list.sort(
        Comparator.comparingLong((RuleRow row) -> row.comparison().after().refused())
            .thenComparing(row -> row.comparison().after().requests())
            .reversed()
            .thenComparing(RuleRow::rule));
    return list;
  }
}
