package dev.weir.testkit;

/**
 * The level at which tests run: everyday ({@code ./test}) or long ({@code ./test --long}, with the
 * system property {@code weir.long=true}).
 *
 * <p>A test that only makes sense at the long level is tagged {@code @Tag("long")}. A test that
 * belongs to both, but with another amount of work, takes the amount from here.
 */
public final class TestLevel {
  private TestLevel() {}

  /** Returns whether this is the long level. */
  public static boolean isLong() {
    return Boolean.getBoolean("weir.long");
  }

  /**
   * Returns how much to do at this level.
   *
   * @param property a system property that overrides both amounts
   */
  public static int amount(String property, int everyday, int nightly) {
    return Integer.getInteger(property, isLong() ? nightly : everyday);
  }

  /** Returns how much to do at this level, as a {@code long}. */
  public static long amount(String property, long everyday, long nightly) {
    return Long.getLong(property, isLong() ? nightly : everyday);
  }
}
