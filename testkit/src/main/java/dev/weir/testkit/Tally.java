package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Decision;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** How many requests passed, by key and instant. One thread's own until it is added to another. */
final class Tally {

  private final Map<String, Map<Long, Long>> passed = new HashMap<>();

  /** Counts the decision if it is allowed, and says whether it was. */
  boolean add(String key, Decision decision) {
    if (decision.allowed()) {
      passed.computeIfAbsent(key, k -> new TreeMap<>()).merge(decision.atMicros(), 1L, Long::sum);
    }
    return decision.allowed();
  }

  void addAll(Tally other) {
    other.passed.forEach(
        (key, counts) ->
            counts.forEach(
                (at, count) ->
                    passed.computeIfAbsent(key, k -> new TreeMap<>()).merge(at, count, Long::sum)));
  }

  /** One line for each key and instant at which not as many passed as expected. */
  List<String> differencesFrom(Tally expected) {
    List<String> differences = new ArrayList<>();
    Set<String> keys = new TreeSet<>(passed.keySet());
    keys.addAll(expected.passed.keySet());
    for (String key : keys) {
      Map<Long, Long> due = expected.passed.getOrDefault(key, Map.of());
      Map<Long, Long> actual = passed.getOrDefault(key, Map.of());
      Set<Long> instants = new TreeSet<>(due.keySet());
      instants.addAll(actual.keySet());
      for (long at : instants) {
        if (!actual.getOrDefault(at, 0L).equals(due.getOrDefault(at, 0L))) {
          differences.add(
              "%s at %d: %d passed, expected %d"
                  .formatted(key, at, actual.getOrDefault(at, 0L), due.getOrDefault(at, 0L)));
        }
      }
    }
    return differences;
  }

  Map<String, Long> perKey() {
    Map<String, Long> sums = new TreeMap<>();
    passed.forEach((key, counts) -> sums.put(key, sum(counts)));
    return sums;
  }

  long total() {
    return passed.values().stream().mapToLong(Tally::sum).sum();
  }

  private static long sum(Map<Long, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Each key passed so often. */
  static BiConsumer<String, Long> exactly(long count) {
    return (key, passed) -> assertThat(passed).as(key).isEqualTo(count);
  }
}
