package dev.weir.policy;

/**
 * Is told of every verdict of a {@link Gate}, once, on the thread that made it. It cannot change
 * the verdict; what it throws is logged and goes no further. It should return quickly.
 */
@FunctionalInterface
public interface GateListener {

  /** A request was decided. */
  void decided(Verdict verdict);

  /**
   * The counters could not be reached for a request; the verdict that was given in their place
   * follows.
   */
  default void failed(Request request, Throwable failure) {}
}
