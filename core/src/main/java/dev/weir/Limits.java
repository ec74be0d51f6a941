package dev.weir;

/** The bounds that limits share. */
final class Limits {
  private Limits() {}

  /** Integers below this are exact in Lua, whose numbers are doubles. */
  static final long EXACT_INTEGERS = 1L << 53;

  static void requirePermits(String name, long value) {
    if (value < 1 || value > Limit.MAX_PERMITS) {
      throw new IllegalArgumentException(
          "%s must be between 1 and %d, got %d".formatted(name, Limit.MAX_PERMITS, value));
    }
  }
}
