package dev.weir.cli;

import dev.weir.policy.Cause;

/** One sentence on what becomes of a request, by which rule, and why. */
final class Conclusion {
  private Conclusion() {}

  /**
   * The sentence.
   *
   * @param cost of the request
   */
  static String of(Decided decided, long cost) {
    return "So it is "
        + (decided.isAllowed() ? allowed(decided) : refused(decided, cost))
        + (isInStead(decided) ? ", while the counters cannot be reached." : ".");
  }

  /** Whether it was decided without the counters, and the rest of the sentence does not say so. */
  private static boolean isInStead(Decided decided) {
    return decided.isDegraded() && decided.cause() != Cause.BACKEND_ERROR;
  }

  private static String allowed(Decided decided) {
    return decided.room() == null
        ? decided.outcome() + ": " + decided.reason()
        : decided.outcome() + by(decided) + ": " + decided.room();
  }

  private static String refused(Decided decided, long cost) {
    long seconds = decided.retryAfterSeconds();
    return decided.outcome()
        + by(decided)
        + ": "
        + why(decided, cost)
        + (seconds > 0 ? ", retry in " + seconds + " s" : "");
  }

  private static String by(Decided decided) {
    return decided.rule().isEmpty() ? "" : " by " + decided.rule();
  }

  private static String why(Decided decided, long cost) {
    Cause cause = decided.cause();
    Decided.Room room = decided.room();
    if (cause == null) {
      return decided.reason();
    }
    return switch (cause) {
      case COST_EXCEEDS_LIMIT ->
          "the cost " + cost + " is above the limit" + (room == null ? "" : " " + room.limit());
      case LIMIT_EXCEEDED -> room == null ? "the limit is used up" : room.toString();
      case PENALTY -> "a penalty runs";
      case BLOCKED_BY_RULE -> "the rule blocks it";
      case BLOCKED_CLIENT -> "the client is blocked";
      case MISSING_CLIENT -> "nothing is known of the client";
      case BACKEND_ERROR -> "the counters cannot be reached";
      default -> decided.reason();
    };
  }
}
