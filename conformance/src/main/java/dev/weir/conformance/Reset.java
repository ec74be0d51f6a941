package dev.weir.conformance;

/** Judges the seconds until a reset. */
@FunctionalInterface
interface Reset {

  /**
   * Whether the right number of seconds came.
   *
   * @param expected what the table says, for a case that starts with its windows
   * @param unit the unit of the limit
   * @param got what came
   */
  boolean isRight(long expected, Unit unit, String got);

  /** On a clock that is set, the table is right to the second. */
  static Reset exact() {
    return (expected, unit, got) -> got.equals(Long.toString(expected));
  }

  /**
   * On a running clock a case starts anywhere in a window. The server may have read its clock at
   * any moment between two readings of ours, and the two clocks may be a second apart.
   */
  static Reset between(long before, long after) {
    return (expected, unit, got) -> {
      for (long now = before - 1; now <= after + 1; now++) {
        if (got.equals(Long.toString(unit.untilReset(now)))) {
          return true;
        }
      }
      return false;
    };
  }
}
