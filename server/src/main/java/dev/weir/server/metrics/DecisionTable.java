package dev.weir.server.metrics;

import dev.weir.policy.Outcome;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * How many requests were decided in which way. All figures about decisions come of this one table,
 * so that they agree in every scrape. Thread-safe.
 *
 * <p>The table has open addressing, and cells are added under the monitor and never moved or taken
 * away: to find one takes neither a lock nor memory. It is bounded. When three quarters are taken,
 * rules that it does not know are counted under {@link #OTHER}, and when it is full, all that it
 * does not know is.
 */
final class DecisionTable {
  /** Stands for names that are not told apart. */
  static final String OTHER = "other";

  static final int MOST_CELLS = 4_000;

  /** The last quarter is for endpoints and tiers: a policy may have very many rules. */
  static final int MOST_WITH_RULES = 3_000;

  /** A power of two, and more than twice the cells, so that searches are short. */
  private static final int SLOTS = 8_192;

  private final AtomicReferenceArray<@Nullable Cell> slots = new AtomicReferenceArray<>(SLOTS);
  private final Map<Outcome, Cell> overflow = new EnumMap<>(Outcome.class);

  /** Written under the monitor. */
  private volatile int size;

  DecisionTable() {
    for (Outcome outcome : Outcome.values()) {
      String rule = outcome == Outcome.THROTTLED ? OTHER : "";
      overflow.put(outcome, new Cell(outcome, OTHER, OTHER, rule, new LongAdder()));
    }
  }

  private record Cell(Outcome outcome, String endpoint, String tier, String rule, LongAdder count) {

    boolean is(Outcome outcome, String endpoint, String tier, String rule) {
      return this.outcome == outcome
          && this.endpoint.equals(endpoint)
          && this.tier.equals(tier)
          && this.rule.equals(rule);
    }

    DecisionCounts.Row row() {
      return new DecisionCounts.Row(outcome, endpoint, tier, rule, count.sum());
    }
  }

  /**
   * Counts a request. The names have to be a policy's, never a client's.
   *
   * @param rule what throttled it; empty for the other outcomes
   */
  void count(Outcome outcome, String endpoint, String tier, String rule) {
    cell(outcome, endpoint, tier, rule).count.increment();
  }

  private Cell cell(Outcome outcome, String endpoint, String tier, String rule) {
    Cell found = find(outcome, endpoint, tier, rule);
    return found == null ? added(outcome, endpoint, tier, rule) : found;
  }

  private @Nullable Cell find(Outcome outcome, String endpoint, String tier, String rule) {
    int slot = firstSlot(outcome, endpoint, tier, rule);
    Cell cell = slots.get(slot);
    while (cell != null && !cell.is(outcome, endpoint, tier, rule)) {
      slot = next(slot);
      cell = slots.get(slot);
    }
    return cell;
  }

  private static int firstSlot(Outcome outcome, String endpoint, String tier, String rule) {
    int hash = outcome.hashCode();
    hash = 31 * hash + endpoint.hashCode();
    hash = 31 * hash + tier.hashCode();
    hash = 31 * hash + rule.hashCode();
    hash *= 0x9e3779b9;
    return (hash ^ hash >>> 16) & (SLOTS - 1);
  }

  private static int next(int slot) {
    return (slot + 1) & (SLOTS - 1);
  }

  private Cell added(Outcome outcome, String endpoint, String tier, String rule) {
    Cell added = hasRoom(rule) ? addIfRoom(outcome, endpoint, tier, rule) : null;
    if (added != null) {
      return added;
    }
    return isNamed(rule)
        ? cell(outcome, endpoint, tier, OTHER)
        : Objects.requireNonNull(overflow.get(outcome));
  }

  private synchronized @Nullable Cell addIfRoom(
      Outcome outcome, String endpoint, String tier, String rule) {
    Cell before = find(outcome, endpoint, tier, rule);
    if (before != null || !hasRoom(rule)) {
      return before;
    }
    int slot = firstSlot(outcome, endpoint, tier, rule);
    while (slots.get(slot) != null) {
      slot = next(slot);
    }
    Cell cell = new Cell(outcome, endpoint, tier, rule, new LongAdder());
    slots.set(slot, cell);
    size++;
    return cell;
  }

  private boolean hasRoom(String rule) {
    return size < (isNamed(rule) ? MOST_WITH_RULES : MOST_CELLS);
  }

  private static boolean isNamed(String rule) {
    return !rule.isEmpty() && !rule.equals(OTHER);
  }

  /** How many requests had each outcome. */
  Map<Outcome, Long> totals() {
    Map<Outcome, Long> totals = new EnumMap<>(Outcome.class);
    overflow.forEach((outcome, cell) -> totals.put(outcome, cell.count.sum()));
    for (int i = 0; i < SLOTS; i++) {
      Cell cell = slots.get(i);
      if (cell != null) {
        totals.merge(cell.outcome, cell.count.sum(), Long::sum);
      }
    }
    return totals;
  }

  /** All counts, each read once. */
  DecisionCounts read() {
    List<DecisionCounts.Row> rows = new ArrayList<>();
    for (int i = 0; i < SLOTS; i++) {
      Cell cell = slots.get(i);
      if (cell != null) {
        rows.add(cell.row());
      }
    }
    for (Cell cell : overflow.values()) {
      DecisionCounts.Row row = cell.row();
      if (row.count() > 0) {
        rows.add(row);
      }
    }
    return new DecisionCounts(rows);
  }
}
