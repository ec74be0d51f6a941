package dev.weir;

/**
 * Is told of every decision of a {@link RateLimiter}, once, on the thread that decided. It cannot
 * change the decision; what it throws is logged and goes no further. It should return quickly.
 */
@FunctionalInterface
public interface DecisionListener {

  /**
   * A request was decided.
   *
   * @param key whom it was counted for; empty for a limiter used without a key
   * @param cost what it asked for
   * @param decision the answer
   */
  void decided(String key, long cost, Decision decision);
}
