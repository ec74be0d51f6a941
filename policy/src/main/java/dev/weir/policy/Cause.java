package dev.weir.policy;

import dev.weir.Reason;

/** Why a request was allowed, throttled or blocked, under the name that answers and events use. */
public enum Cause {
  /** Every limit had room. */
  WITHIN_LIMITS("within_limits"),
  /** No limit holds for it. */
  NO_LIMIT("no_limit"),
  /** The policy is switched off. */
  DISABLED("disabled"),
  /** The client is exempt. */
  EXEMPT("exempt"),
  /** A rule allows it. */
  ALLOWED_BY_RULE("allowed_by_rule"),
  /** Nothing is known of the client that requests could be counted by. */
  MISSING_CLIENT("missing_client"),
  /** A limit is used up for now. */
  LIMIT_EXCEEDED("limit_exceeded"),
  /** The cost is above a limit's capacity: waiting does not help. */
  COST_EXCEEDS_LIMIT("cost_exceeds_limit"),
  /** A penalty runs. */
  PENALTY("penalty"),
  /** A rule blocks it. */
  BLOCKED_BY_RULE("blocked_by_rule"),
  /** The client is blocked. */
  BLOCKED_CLIENT("blocked_client"),
  /** The counters could not be reached. */
  BACKEND_ERROR("backend_error");

  private final String text;

  Cause(String text) {
    this.text = text;
  }

  static Cause of(Reason reason) {
    return switch (reason) {
      case WITHIN_LIMITS -> WITHIN_LIMITS;
      case LIMIT_EXCEEDED -> LIMIT_EXCEEDED;
      case COST_EXCEEDS_LIMIT -> COST_EXCEEDS_LIMIT;
      case PENALTY -> PENALTY;
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
