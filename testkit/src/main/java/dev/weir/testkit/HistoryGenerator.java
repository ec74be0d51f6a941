package dev.weir.testkit;

import dev.weir.Algorithm;
import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Penalty;
import dev.weir.PenaltyCounter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A random history of some hundred steps on a few counters: requests of all costs, peeks, refunds,
 * resets, limits that change, clocks that stand, run, jump and go back. The seed alone says what it
 * is.
 */
final class HistoryGenerator implements StepSource {

  private static final List<String> NAMES = List.of("a", "b", "c", "d");

  private static final List<Duration> DETECTION_WINDOWS =
      List.of(
          Duration.ofMillis(10), Duration.ofSeconds(1), Duration.ofHours(1), Duration.ofDays(1));

  private final HistoryKind kind;
  private final SplittableRandom random;
  private final RandomLimits randomLimits;
  private final RandomTimes randomTimes;
  private final List<Limit> limits = new ArrayList<>();
  private final List<Penalty> penalties = new ArrayList<>();
  private final int keys;
  private int stepsLeft;
  private long now;

  HistoryGenerator(HistoryKind kind, long seed, Instant last) {
    this.kind = kind;
    random = new SplittableRandom(seed);
    randomLimits = new RandomLimits(random);
    randomTimes = new RandomTimes(random, last);
    stepsLeft = 20 + random.nextInt(600);
    keys = 1 + random.nextInt(random.nextInt(4) == 0 ? 50 : 3);
    int names = 1 + random.nextInt(kind == HistoryKind.MIXED ? 4 : 2);
    for (int i = 0; i < names; i++) {
      limits.add(randomLimits.next(algorithm()));
    }
    int penaltyNames = kind == HistoryKind.MIXED ? Math.max(0, random.nextInt(5) - 2) : 0;
    for (int i = 0; i < penaltyNames; i++) {
      penalties.add(penalty(DETECTION_WINDOWS.get(random.nextInt(DETECTION_WINDOWS.size()))));
    }
    now = randomTimes.start();
  }

  @Override
  public Optional<Step> next(Optional<Decision> last) {
    if (stepsLeft == 0) {
      return Optional.empty();
    }
    stepsLeft--;
    Limit limit = limits.get(random.nextInt(limits.size()));
    now = randomTimes.next(now, limit, last);
    if (random.nextInt(20) == 0) {
      changeSomeRule();
    }
    return Optional.of(new Step(now, operation(last)));
  }

  private void changeSomeRule() {
    int index = random.nextInt(limits.size() + penalties.size());
    if (index < limits.size()) {
      limits.set(index, randomLimits.changed(limits.get(index), algorithm()));
    } else {
      // A store may forget violations by the window they were recorded under, so that one stays.
      int penalty = index - limits.size();
      penalties.set(penalty, penalty(penalties.get(penalty).detectionWindow()));
    }
  }

  private Operation operation(Optional<Decision> last) {
    List<Counter> counters = counters();
    List<PenaltyCounter> punished = penaltyCounters(counters.get(0).key());
    Limit limit = counters.get(random.nextInt(counters.size())).limit();
    int roll = random.nextInt(100);
    if (roll < 78) {
      return new Operation.Acquire(counters, punished, cost(limit, last));
    }
    if (roll < 88) {
      return new Operation.Peek(counters, punished, cost(limit, last));
    }
    if (roll < 98) {
      return new Operation.Refund(counters, Math.max(1, cost(limit, last)));
    }
    return new Operation.Reset(counters, punished);
  }

  /** One counter, or several in any order, mostly of one key. */
  private List<Counter> counters() {
    int first = random.nextInt(limits.size());
    int count = random.nextInt(3) == 0 ? 1 : 1 + random.nextInt(limits.size());
    String key = key();
    List<Counter> counters = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int index = (first + i) % limits.size();
      String counterKey = random.nextInt(10) == 0 ? key() : key;
      counters.add(new Counter(NAMES.get(index), counterKey, limits.get(index)));
    }
    return counters;
  }

  private String key() {
    return "k" + random.nextInt(keys);
  }

  private List<PenaltyCounter> penaltyCounters(String key) {
    if (penalties.isEmpty() || random.nextInt(8) == 0) {
      return List.of();
    }
    List<PenaltyCounter> counters = new ArrayList<>(penalties.size());
    for (int i = 0; i < penalties.size(); i++) {
      counters.add(new PenaltyCounter("penalty" + i, key, penalties.get(i)));
    }
    return counters;
  }

  private long cost(Limit limit, Optional<Decision> last) {
    int roll = random.nextInt(100);
    if (roll < 5) {
      return 0;
    }
    if (roll < 45) {
      return 1;
    }
    if (roll < 60) {
      return 1L + random.nextInt(5);
    }
    if (roll < 75) {
      return 1 + random.nextLong(limit.capacity());
    }
    if (roll < 90) {
      return last.map(Decision::remaining).orElse(0L) + random.nextInt(2);
    }
    if (roll < 95) {
      return limit.capacity();
    }
    return roll < 99 ? limit.capacity() + 1 : Long.MAX_VALUE;
  }

  private Penalty penalty(Duration detectionWindow) {
    List<Integer> multipliers =
        random.nextBoolean() ? List.of(1, 2, 4, 8) : List.of(1 + random.nextInt(100));
    return new Penalty(detectionWindow, 1 + random.nextInt(4), multipliers);
  }

  private Algorithm algorithm() {
    return kind.algorithms().get(random.nextInt(kind.algorithms().size()));
  }
}
