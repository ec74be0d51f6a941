package dev.weir.policy.config;

/**
 * The section {@code [counters]}: where counts live. What happens when they cannot be reached is
 * part of the policy.
 *
 * @param backend memory or Redis
 * @param maxKeys the most keys with a counter of their own in memory, for each limit
 */
public record CounterSettings(Backend backend, long maxKeys) {
  /** Where counts live. */
  public enum Backend {
    /** In this process. */
    MEMORY("memory"),
    /** On Redis or Valkey. */
    REDIS("redis");

    private final String text;

    Backend(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
