package dev.weir.server.metrics;

import dev.weir.policy.EffectiveRule;
import dev.weir.policy.Outcome;
import dev.weir.policy.Policy;
import dev.weir.policy.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * How often each rule had a say, throttled, or would have refused. Bounded and thread-safe;
 * counting takes no memory for a rule that was met before.
 */
final class RuleCounts {
  /** Beyond that, new names are not told apart: a policy may be replaced very often. */
  static final int MOST_RULES = 20_000;

  private final Map<String, Cell> cells = new ConcurrentHashMap<>();

  private static final class Cell {
    final LongAdder matched = new LongAdder();
    final LongAdder throttled = new LongAdder();
    final LongAdder shadowRefused = new LongAdder();
  }

  /**
   * What one rule has done.
   *
   * @param matched how many requests it had a say in, also in shadow mode
   * @param throttled how many of them it throttled
   * @param shadowRefused how many it would have refused, had it not been in shadow mode
   */
  record Row(String rule, long matched, long throttled, long shadowRefused) {}

  void count(Verdict verdict) {
    for (int i = 0; i < verdict.ruleCount(); i++) {
      cell(verdict.ruleAt(i)).matched.increment();
    }
    String decisive = verdict.outcome() == Outcome.THROTTLED ? verdict.rule() : null;
    if (decisive != null) {
      cell(decisive).throttled.increment();
    }
    List<Verdict.Shadow> shadows = verdict.shadows();
    for (int i = 0; i < shadows.size(); i++) {
      Cell cell = cell(shadows.get(i).rule());
      cell.matched.increment();
      if (shadows.get(i).refuses()) {
        cell.shadowRefused.increment();
      }
    }
  }

  private Cell cell(String rule) {
    Cell known = cells.get(rule);
    if (known == null) {
      // Threads that come at once may each add one more than there should be.
      String name = cells.size() < MOST_RULES ? rule : DecisionTable.OTHER;
      known = cells.computeIfAbsent(name, added -> new Cell());
    }
    return known;
  }

  /** The rules of a policy in the order of its walk, also those that nothing was counted for. */
  List<Row> read(Policy policy) {
    List<Row> rows = new ArrayList<>();
    for (EffectiveRule rule : policy.effectiveRules()) {
      Cell cell = cells.get(rule.name());
      rows.add(
          cell == null
              ? new Row(rule.name(), 0, 0, 0)
              : new Row(
                  rule.name(), cell.matched.sum(), cell.throttled.sum(), cell.shadowRefused.sum()));
    }
    return rows;
  }
}
