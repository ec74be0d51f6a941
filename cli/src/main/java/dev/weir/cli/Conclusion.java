package dev.weir.cli;

import dev.weir.LimitStatus;
import dev.weir.policy.Verdict;

/** One sentence on what becomes of a request, by which rule, and why. */
final class Conclusion {
  private Conclusion() {}

  static String of(Verdict verdict) {
    return "So it is " + (verdict.isAllowed() ? allowed(verdict) : refused(verdict)) + ".";
  }

  private static String allowed(Verdict verdict) {
    LimitStatus status = verdict.decisive();
    return status == null
        ? verdict.outcome() + ": " + verdict.cause()
        : verdict.outcome() + by(verdict) + ": " + left(status);
  }

  private static String refused(Verdict verdict) {
    long seconds = verdict.retryAfterSeconds();
    return verdict.outcome()
        + by(verdict)
        + ": "
        + why(verdict)
        + (seconds > 0 ? ", retry in " + seconds + " s" : "");
  }

  private static String by(Verdict verdict) {
    return verdict.rule() == null ? "" : " by " + verdict.rule();
  }

  private static String why(Verdict verdict) {
    LimitStatus status = verdict.decisive();
    return switch (verdict.cause()) {
      case COST_EXCEEDS_LIMIT ->
          "the cost "
              + verdict.request().cost()
              + " is above the limit"
              + (status == null ? "" : " " + status.limit().capacity());
      case LIMIT_EXCEEDED -> status == null ? "the limit is used up" : left(status);
      case PENALTY -> "a penalty runs";
      case BLOCKED_BY_RULE -> "the rule blocks it";
      case BLOCKED_CLIENT -> "the client is blocked";
      case MISSING_CLIENT -> "nothing is known of the client";
      case BACKEND_ERROR -> "the counters cannot be reached";
      default -> verdict.cause().toString();
    };
  }

  private static String left(LimitStatus status) {
    return "%d of %d left".formatted(status.remaining(), status.limit().capacity());
  }
}
