package dev.weir;

import java.util.List;
import java.util.function.Function;

/**
 * What a {@link CounterStore} does to all counters of one request, as a whole and at one instant.
 *
 * <p>No counter, told by name and key, may stand in an operation twice, and no penalty.
 */
public sealed interface Operation {

  /** The counters, in the order in which the decision lists them; at least one. */
  List<Counter> counters();

  /** The penalties to look at, usually none or one. */
  default List<PenaltyCounter> penalties() {
    return List.of();
  }

  /**
   * Consumes {@code cost} from every counter, or from none.
   *
   * @param cost at least 0; 0 consumes nothing and is a {@link Peek}
   */
  record Acquire(List<Counter> counters, List<PenaltyCounter> penalties, long cost)
      implements Operation {
    public Acquire {
      counters = requireCounters(counters);
      penalties = requirePenalties(penalties);
      requireCost(cost, 0);
    }

    /** Without penalties. */
    public Acquire(List<Counter> counters, long cost) {
      this(counters, List.of(), cost);
    }
  }

  /**
   * Answers as an {@link Acquire} of that cost would, and consumes nothing.
   *
   * @param cost at least 0
   */
  record Peek(List<Counter> counters, List<PenaltyCounter> penalties, long cost)
      implements Operation {
    public Peek {
      counters = requireCounters(counters);
      penalties = requirePenalties(penalties);
      requireCost(cost, 0);
    }

    /** Without penalties. */
    public Peek(List<Counter> counters, long cost) {
      this(counters, List.of(), cost);
    }
  }

  /**
   * Gives {@code cost} back to every counter: never above its capacity, never creating or
   * prolonging anything.
   *
   * @param cost at least 1
   */
  record Refund(List<Counter> counters, long cost) implements Operation {
    public Refund {
      counters = requireCounters(counters);
      requireCost(cost, 1);
    }
  }

  /** Forgets every counter and penalty. */
  record Reset(List<Counter> counters, List<PenaltyCounter> penalties) implements Operation {
    public Reset {
      counters = requireCounters(counters);
      penalties = requirePenalties(penalties);
    }

    /** Without penalties. */
    public Reset(List<Counter> counters) {
      this(counters, List.of());
    }
  }

  private static List<Counter> requireCounters(List<Counter> counters) {
    if (counters.isEmpty()) {
      throw new IllegalArgumentException("counters must have at least one element, got []");
    }
    return requireDistinct("counters", counters, Counter::name, Counter::key);
  }

  private static List<PenaltyCounter> requirePenalties(List<PenaltyCounter> penalties) {
    return requireDistinct("penalties", penalties, PenaltyCounter::name, PenaltyCounter::key);
  }

  private static <T> List<T> requireDistinct(
      String part, List<T> items, Function<T, String> name, Function<T, String> key) {
    List<T> copy = List.copyOf(items);
    // A request is under a handful of limits: to compare each two is quicker than to hash them.
    for (int i = 1; i < copy.size(); i++) {
      for (int j = 0; j < i; j++) {
        T one = copy.get(i);
        T other = copy.get(j);
        if (name.apply(one).equals(name.apply(other)) && key.apply(one).equals(key.apply(other))) {
          throw new IllegalArgumentException(
              "%s must differ in name or key, got \"%s\" of \"%s\" twice"
                  .formatted(part, name.apply(one), key.apply(one)));
        }
      }
    }
    return copy;
  }

  private static void requireCost(long cost, long least) {
    if (cost < least) {
      throw new IllegalArgumentException("cost must be at least " + least + ", got " + cost);
    }
  }
}
