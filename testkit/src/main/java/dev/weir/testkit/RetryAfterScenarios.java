package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Algorithm;
import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.ManualTime;
import dev.weir.Operation;
import dev.weir.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A retry-after is honest: it is enough, and nothing less is. */
abstract class RetryAfterScenarios extends StoreScenarios {

  private final long cases;

  RetryAfterScenarios(Function<ManualTime, CounterStore> stores, long cases) {
    super(stores);
    this.cases = cases;
  }

  @Test
  @DisplayName("passes after exactly the retry-after and not a microsecond before (T44)")
  void passesAfterExactlyTheRetryAfter() {
    for (long seed = Seed.first(); seed < Seed.first() + cases; seed++) {
      Subject store = subjectAt(MONDAY);
      SplittableRandom random = new SplittableRandom(seed);
      List<Counter> counters = counters(random);
      Operation.Acquire refused = useUp(store, counters, random);
      Decision decision = store.apply(new Operation.Peek(counters, refused.cost()));
      String about =
          "cost %d on %s, waiting %s, -Dweir.seed=%d"
              .formatted(refused.cost(), counters, decision.retryAfter(), seed);
      assertThat(decision.retryAfterMicros()).as(about).isPositive();
      store.advanceMicros(decision.retryAfterMicros() - 1);
      assertThat(store.apply(refused)).as(about).returns(1L, Decision::retryAfterMicros);
      store.advanceMicros(1);
      assertThat(store.apply(refused).allowed()).as(about).isTrue();
      closeStores();
    }
  }

  private static List<Counter> counters(SplittableRandom random) {
    RandomLimits limits = new RandomLimits(random);
    Algorithm[] algorithms = Algorithm.values();
    List<Counter> counters = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      Algorithm algorithm = algorithms[random.nextInt(algorithms.length)];
      counters.add(new Counter("limit" + i, "client", limits.next(algorithm)));
    }
    return counters;
  }

  /** Charges random costs at random times until one is refused that may come again. */
  private static Operation.Acquire useUp(
      Subject store, List<Counter> counters, SplittableRandom random) {
    long capacity = counters.stream().mapToLong(c -> c.limit().capacity()).min().orElseThrow();
    while (true) {
      long cost = 1 + random.nextLong(capacity);
      Operation.Acquire acquire = new Operation.Acquire(counters, cost);
      if (store.apply(acquire).reason() == Reason.LIMIT_EXCEEDED) {
        return acquire;
      }
      store.advanceMicros(random.nextLong(10_000) / cost);
    }
  }
}
