package dev.weir.conformance;

import java.util.HashMap;
import java.util.Map;

/**
 * Counters of fixed windows. They also watch over the table: where servers may differ by right, a
 * case must not look.
 */
final class ModelCounters {
  private final Map<String, Long> counts = new HashMap<>();
  private final Map<String, Long> firstHits = new HashMap<>();
  private final Map<String, Unit> units = new HashMap<>();
  private final Bug bug;

  ModelCounters(Bug bug) {
    this.bug = bug;
  }

  void clear() {
    counts.clear();
  }

  static long seconds(Unit unit, Bug bug) {
    return unit == Unit.MONTH && bug == Bug.LONG_MONTHS ? 31 * 86_400 : unit.seconds();
  }

  /** The count that there is. */
  long peek(String counter, Rate limit, long now) {
    return counts.getOrDefault(window(counter, limit.unit(), now), 0L);
  }

  /** Adds hits and returns the count after. */
  long add(String counter, Rate limit, long hits, long now) {
    String window = window(counter, limit.unit(), now);
    checkUnit(window, limit.unit());
    long after = counts.getOrDefault(window, 0L) + hits;
    if (bug == Bug.NEGATIVE_COUNTERS || after >= 0) {
      boolean isFree = bug == Bug.REFUSED_HITS_ARE_FREE && after > limit.requestsPerUnit();
      counts.put(window, isFree ? after - hits : after);
      return after;
    }
    counts.put(window, 0L);
    return 0;
  }

  private String window(String counter, Unit unit, long now) {
    long length = seconds(unit, bug);
    if (bug == Bug.WINDOWS_FROM_FIRST_HIT) {
      long first = firstHits.computeIfAbsent(counter, name -> now);
      if (now >= first + length) {
        firstHits.put(counter, now);
        first = now;
      }
      return counter + "@" + first;
    }
    return counter + "@" + now / length * length;
  }

  /** Some servers name a window by its start alone, so that those of two units can be one. */
  private void checkUnit(String window, Unit unit) {
    Unit before = units.putIfAbsent(window, unit);
    if (bug == Bug.NONE && before != null && before != unit) {
      throw new IllegalStateException(window + " is counted by " + before + " and by " + unit);
    }
  }
}
