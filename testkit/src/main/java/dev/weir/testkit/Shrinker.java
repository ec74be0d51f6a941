package dev.weir.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes a failing history short by delta debugging: steps are left out, in large chunks first, as
 * long as the rest still fails.
 */
final class Shrinker {

  private static final int MOST_PLAYS = 5_000;

  private final HistoryCheck check;
  private int plays;

  Shrinker(HistoryCheck check) {
    this.check = check;
  }

  /** The shortest failing history found. */
  Mismatch shrink(Mismatch failing) {
    Mismatch shortest = failing;
    int chunk = Math.max(1, failing.steps().size() / 2);
    while (plays < MOST_PLAYS) {
      Optional<Mismatch> shorter = withoutSomeChunk(shortest.steps(), chunk);
      if (shorter.isPresent()) {
        shortest = shorter.get();
      } else if (chunk == 1) {
        break;
      }
      chunk = Math.max(1, Math.min(chunk / 2, shortest.steps().size()));
    }
    return shortest;
  }

  /** Goes once from the end to the beginning and leaves out each chunk that is not needed. */
  private Optional<Mismatch> withoutSomeChunk(List<Step> steps, int chunk) {
    Optional<Mismatch> found = Optional.empty();
    List<Step> kept = new ArrayList<>(steps);
    int end = kept.size();
    while (end > 0 && plays < MOST_PLAYS) {
      int start = Math.max(0, end - chunk);
      List<Step> candidate = new ArrayList<>(kept.subList(0, start));
      candidate.addAll(kept.subList(end, kept.size()));
      plays++;
      Optional<Mismatch> mismatch = check.play(StepSource.of(candidate));
      if (mismatch.isPresent()) {
        found = mismatch;
        kept = new ArrayList<>(mismatch.get().steps());
        end = Math.min(start, kept.size());
      } else {
        end = start;
      }
    }
    return found;
  }
}
