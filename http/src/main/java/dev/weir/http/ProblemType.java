package dev.weir.http;

import dev.weir.policy.Outcome;
import dev.weir.policy.Verdict;

/** The types of problem details that refusals have. */
enum ProblemType {
  /** A limit is used up, or too small for the request. */
  QUOTA_EXCEEDED(
      "https://iana.org/assignments/http-problem-types#quota-exceeded",
      "Request cannot be satisfied as assigned quota has been exceeded"),
  /** A penalty runs. */
  ABNORMAL_USAGE_DETECTED(
      "https://iana.org/assignments/http-problem-types#abnormal-usage-detected",
      "Request cannot be satisfied due to detection of abnormal request pattern"),
  /** Nothing beyond what the status says. */
  PLAIN("about:blank", "");

  private final String uri;
  private final String title;

  ProblemType(String uri, String title) {
    this.uri = uri;
    this.title = title;
  }

  static ProblemType of(Verdict verdict) {
    if (verdict.outcome() == Outcome.BLOCKED) {
      return PLAIN;
    }
    return switch (verdict.cause()) {
      case LIMIT_EXCEEDED, COST_EXCEEDS_LIMIT -> QUOTA_EXCEEDED;
      case PENALTY -> ABNORMAL_USAGE_DETECTED;
      default -> PLAIN;
    };
  }

  String uri() {
    return uri;
  }

  /** Its title; by RFC 9457 the status's phrase if the type says nothing more. */
  String title(int status) {
    return this == PLAIN ? StatusPhrase.of(status) : title;
  }
}
