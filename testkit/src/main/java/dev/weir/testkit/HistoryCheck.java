package dev.weir.testkit;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.DirectCounterStore;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Operation;
import dev.weir.PenaltyCounter;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * Plays histories on an empty store and on the oracle at once and compares each answer.
 *
 * <p>A store may forget a counter that has recovered, but need not. Whether it did shows only when
 * the clock goes back, so before that every such counter is reset on both sides.
 */
final class HistoryCheck {

  /** An operation needs a counter; this one is never charged. */
  private static final Counter UNUSED = new Counter("unused", "unused", Limit.perSecond(1));

  private final Function<ManualTime, CounterStore> stores;

  HistoryCheck(Function<ManualTime, CounterStore> stores) {
    this.stores = stores;
  }

  /** The first answer that differs, if any. */
  Optional<Mismatch> play(StepSource source) {
    ManualTime time = new ManualTime(Instant.EPOCH);
    try (CounterStore store = stores.apply(time)) {
      return new Play(store, time).run(source);
    }
  }

  private static final class Play {
    private final CounterStore store;
    private final ManualTime time;
    private final Oracle oracle = new Oracle();
    private final List<Step> played = new ArrayList<>();
    private final Map<List<String>, Counter> counters = new HashMap<>();
    private final Map<List<String>, PenaltyCounter> penalties = new HashMap<>();

    Play(CounterStore store, ManualTime time) {
      this.store = store;
      this.time = time;
    }

    Optional<Mismatch> run(StepSource source) {
      Optional<Decision> last = Optional.empty();
      for (Optional<Step> next = source.next(last); next.isPresent(); next = source.next(last)) {
        Step step = next.get();
        if (step.atMicros() < time.nowMicros()) {
          resetWhatMayBeForgotten();
        }
        moveTo(step.atMicros());
        remember(step.operation());
        played.add(step);
        Decision expected = oracle.apply(step.operation(), step.atMicros());
        Object actual = answer(step.operation());
        if (!expected.equals(actual)) {
          return Optional.of(new Mismatch(List.copyOf(played), expected, actual));
        }
        last = Optional.of(expected);
      }
      return Optional.empty();
    }

    private void moveTo(long micros) {
      if (micros != time.nowMicros()) {
        time.advance(Duration.of(micros - time.nowMicros(), ChronoUnit.MICROS));
      }
    }

    private Object answer(Operation operation) {
      try {
        return store instanceof DirectCounterStore direct
            ? direct.applyNow(operation)
            : store.apply(operation).toCompletableFuture().join();
      } catch (CompletionException e) {
        return String.valueOf(e.getCause());
      } catch (RuntimeException e) {
        return e.toString();
      }
    }

    private void remember(Operation operation) {
      for (Counter counter : operation.counters()) {
        counters.put(List.of(counter.name(), counter.key()), counter);
      }
      for (PenaltyCounter counter : operation.penalties()) {
        penalties.put(List.of(counter.name(), counter.key()), counter);
      }
    }

    private void resetWhatMayBeForgotten() {
      long now = time.nowMicros();
      for (Counter counter : counters.values()) {
        if (oracle.mayHaveForgotten(counter, now)) {
          reset(new Operation.Reset(List.of(counter)));
        }
      }
      for (PenaltyCounter counter : penalties.values()) {
        if (oracle.mayHaveForgotten(counter, now)) {
          reset(new Operation.Reset(List.of(UNUSED), List.of(counter)));
        }
      }
    }

    private void reset(Operation.Reset reset) {
      oracle.apply(reset, time.nowMicros());
      answer(reset);
    }
  }
}
