package dev.weir.testkit;

import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.ManualTime;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/**
 * Compares a store with the oracle on random histories, each on an empty store, until enough
 * operations have been played.
 */
final class RandomHistories {

  private final HistoryCheck check;
  private final Instant last;

  /**
   * Histories for such stores.
   *
   * @param last the last instant that the stores can count at
   * @param keepsOrder see {@link CounterStoreContract#keepsOrder}
   */
  RandomHistories(Function<ManualTime, CounterStore> stores, Instant last, boolean keepsOrder) {
    this.check = new HistoryCheck(stores, keepsOrder);
    this.last = last;
  }

  /**
   * Plays histories with the seeds from {@code firstSeed} on.
   *
   * @throws AssertionError with the seed and a shortened history, if an answer differs
   */
  void compare(HistoryKind kind, long firstSeed, long operations) {
    long played = 0;
    for (long seed = firstSeed; played < operations; seed++) {
      Counted history = new Counted(new HistoryGenerator(kind, seed, last));
      Optional<Mismatch> mismatch = check.play(history);
      if (mismatch.isPresent()) {
        throw new AssertionError(message(kind, seed, mismatch.get()));
      }
      played += history.steps;
    }
  }

  private String message(HistoryKind kind, long seed, Mismatch mismatch) {
    Mismatch shortest = new Shrinker(check).shrink(mismatch);
    return """
        the store and the oracle differ on a %s history with seed %d
        To see it again: -Dweir.seed=%d
        %d of its %d steps are enough, the last one differs:
        %s"""
        .formatted(
            kind,
            seed,
            seed,
            shortest.steps().size(),
            mismatch.steps().size(),
            shortest.describe());
  }

  private static final class Counted implements StepSource {
    private final StepSource source;
    private long steps;

    Counted(StepSource source) {
      this.source = source;
    }

    @Override
    public Optional<Step> next(Optional<Decision> last) {
      Optional<Step> next = source.next(last);
      steps += next.isPresent() ? 1 : 0;
      return next;
    }
  }
}
