package dev.weir.spring;

import dev.weir.policy.Verdict;

/** A call was refused by its {@link RateLimit}. */
public final class RateLimitExceededException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Verdict verdict;

  /** With what was decided. */
  public RateLimitExceededException(Verdict verdict) {
    super(verdict.message());
    this.verdict = verdict;
  }

  /** What was decided, and why. */
  public Verdict verdict() {
    return verdict;
  }

  /** After how many seconds the call may pass; 0 if it never will. */
  public long retryAfterSeconds() {
    return verdict.retryAfterSeconds();
  }
}
