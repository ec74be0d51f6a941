package dev.weir.policy;

/**
 * Is notified of every decision of a {@link Gate}, exactly once, by the thread that completed it,
 * whether or not anyone still waits for the result. A listener cannot change the decision; what it
 * throws is logged, and the other listeners are still notified. It must return quickly.
 */
@FunctionalInterface
public interface GateListener {

  /**
   * A request was decided.
   *
   * @param latencyNanos the time from the call of the gate to the decision, counters included
   */
  void decided(Verdict verdict, long latencyNanos);

  /**
   * The counter store failed for a request. The decision that was made without it is announced
   * next.
   */
  default void failed(Request request, Throwable failure) {}
}
