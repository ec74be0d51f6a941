package dev.weir.spring;

import dev.weir.policy.Verdict;
import org.springframework.context.ApplicationEvent;

/** A request, or a call of a limited method, was refused. */
public final class RateLimitRefusedEvent extends ApplicationEvent {
  private static final long serialVersionUID = 1;

  /**
   * An event.
   *
   * @param source who decided
   */
  public RateLimitRefusedEvent(Object source, Verdict verdict) {
    super(source);
    this.verdict = verdict;
  }

  private final transient Verdict verdict;

  /** What was decided, and why. */
  public Verdict verdict() {
    return verdict;
  }
}
