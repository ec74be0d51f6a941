package dev.weir.testkit;

import dev.weir.Decision;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Where the steps of a history come from: a generator, or a list that is played again. */
@FunctionalInterface
interface StepSource {

  /**
   * The next step, or nothing at the end.
   *
   * @param last what the oracle said to the step before, if there was one; a generator steers by it
   */
  Optional<Step> next(Optional<Decision> last);

  /** Plays these steps. */
  static StepSource of(List<Step> steps) {
    Iterator<Step> iterator = steps.iterator();
    return last -> iterator.hasNext() ? Optional.of(iterator.next()) : Optional.empty();
  }
}
