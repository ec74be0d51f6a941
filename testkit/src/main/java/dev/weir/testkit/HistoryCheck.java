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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
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
  private final boolean keepsOrder;

  /**
   * A check of such stores.
   *
   * @param keepsOrder whether they need not have answered before the next is asked, see {@link
   *     CounterStoreContract#keepsOrder}
   */
  HistoryCheck(Function<ManualTime, CounterStore> stores, boolean keepsOrder) {
    this.stores = stores;
    this.keepsOrder = keepsOrder;
  }

  /** The first answer that differs, if any. */
  Optional<Mismatch> play(StepSource source) {
    ManualTime time = new ManualTime(Instant.EPOCH);
    try (CounterStore store = stores.apply(time)) {
      return new Play(store, time, keepsOrder).run(source);
    }
  }

  /** A step that was asked, and what comes of it. */
  private record Asked(
      int number, Decision expected, CompletableFuture<Decision> answer, boolean isCompared) {}

  private static final class Play {
    private static final int MOST_UNANSWERED = 64;

    private final boolean keepsOrder;
    private final List<Asked> unanswered = new ArrayList<>();
    private final CounterStore store;
    private final ManualTime time;
    private final Oracle oracle = new Oracle();
    private final List<Step> played = new ArrayList<>();
    private final Map<List<String>, Counter> counters = new HashMap<>();
    private final Map<List<String>, PenaltyCounter> penalties = new HashMap<>();
    private final Set<List<String>> changed = new HashSet<>();

    Play(CounterStore store, ManualTime time, boolean keepsOrder) {
      this.keepsOrder = keepsOrder;
      this.store = store;
      this.time = time;
    }

    Optional<Mismatch> run(StepSource source) {
      Optional<Decision> last = Optional.empty();
      for (Optional<Step> next = source.next(last); next.isPresent(); next = source.next(last)) {
        Step step = next.get();
        boolean goesBack = step.atMicros() < time.nowMicros();
        boolean mustWait = goesBack && resetWhatMayBeForgotten();
        boolean isAlone = !keepsOrder || isChange(step.operation());
        Optional<Mismatch> before = isAlone || mustWait ? compared() : Optional.empty();
        if (before.isPresent()) {
          return before;
        }
        moveTo(step.atMicros());
        remember(step.operation());
        played.add(step);
        Decision expected = oracle.apply(step.operation(), step.atMicros());
        unanswered.add(new Asked(played.size(), expected, answer(step.operation()), true));
        if (isAlone || unanswered.size() > MOST_UNANSWERED) {
          Optional<Mismatch> mismatch = compared();
          if (mismatch.isPresent()) {
            return mismatch;
          }
        }
        if (expected.allowed() && step.operation() instanceof Operation.Acquire acquire) {
          settled(acquire);
        }
        last = Optional.of(expected);
      }
      return compared();
    }

    /** These have been charged by their limits, so that they are no longer counted by others. */
    private void settled(Operation.Acquire acquire) {
      if (acquire.cost() > 0) {
        acquire
            .counters()
            .forEach(counter -> changed.remove(List.of(counter.name(), counter.key())));
      }
    }

    /** A counter that may still be counted by another limit, or counters of several keys. */
    private boolean isChange(Operation operation) {
      boolean isChange = false;
      String key = operation.counters().get(0).key();
      for (Counter counter : operation.counters()) {
        List<String> id = List.of(counter.name(), counter.key());
        Counter before = counters.get(id);
        if (before != null && !before.limit().equals(counter.limit())) {
          changed.add(id);
        }
        isChange |= !counter.key().equals(key) || changed.contains(id);
      }
      return isChange;
    }

    /** The first of the steps not yet compared whose answer differs. */
    private Optional<Mismatch> compared() {
      Optional<Mismatch> first = Optional.empty();
      for (Asked asked : unanswered) {
        Object actual = joined(asked.answer);
        if (first.isEmpty() && asked.isCompared && !asked.expected.equals(actual)) {
          List<Step> steps = List.copyOf(played.subList(0, asked.number));
          first = Optional.of(new Mismatch(steps, asked.expected, actual));
        }
      }
      unanswered.clear();
      return first;
    }

    private void moveTo(long micros) {
      if (micros != time.nowMicros()) {
        time.advance(Duration.of(micros - time.nowMicros(), ChronoUnit.MICROS));
      }
    }

    private CompletableFuture<Decision> answer(Operation operation) {
      try {
        return store instanceof DirectCounterStore direct
            ? CompletableFuture.completedFuture(direct.applyNow(operation))
            : store.apply(operation).toCompletableFuture();
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    private static Object joined(CompletableFuture<Decision> answer) {
      try {
        return answer.join();
      } catch (CompletionException e) {
        return String.valueOf(e.getCause());
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

    /**
     * Does so once, until they are asked for again: who has been reset is as new.
     *
     * @return whether one may still be counted by another limit, so that nothing must overtake it
     */
    private boolean resetWhatMayBeForgotten() {
      long now = time.nowMicros();
      boolean isChange = false;
      for (Counter counter : List.copyOf(counters.values())) {
        if (oracle.mayHaveForgotten(counter, now)) {
          List<String> id = List.of(counter.name(), counter.key());
          reset(new Operation.Reset(List.of(counter)));
          counters.remove(id);
          isChange |= changed.remove(id);
        }
      }
      for (PenaltyCounter counter : List.copyOf(penalties.values())) {
        if (oracle.mayHaveForgotten(counter, now)) {
          reset(new Operation.Reset(List.of(UNUSED), List.of(counter)));
          penalties.remove(List.of(counter.name(), counter.key()));
        }
      }
      return isChange;
    }

    private void reset(Operation.Reset reset) {
      Decision expected = oracle.apply(reset, time.nowMicros());
      unanswered.add(new Asked(played.size(), expected, answer(reset), false));
    }
  }
}
