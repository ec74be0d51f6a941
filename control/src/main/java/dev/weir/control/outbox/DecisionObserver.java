package dev.weir.control.outbox;

import dev.weir.policy.Verdict;

/**
 * Is told of every decision, by the thread that made it and after it was made. It must not wait and
 * must not throw; for what it does not keep it must cost next to nothing.
 */
@FunctionalInterface
public interface DecisionObserver {

  /**
   * A request was decided.
   *
   * @param latencyNanos how long that took
   */
  void decided(Verdict verdict, long latencyNanos);
}
