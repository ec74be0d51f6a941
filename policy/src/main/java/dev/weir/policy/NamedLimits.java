package dev.weir.policy;

import dev.weir.Limit;
import java.util.List;

/**
 * Limits that an application applies by their name, wherever it wants, and not by what a request
 * matches. Immutable, and made once for many requests.
 */
public final class NamedLimits {
  final Step step;

  NamedLimits(Step step) {
    this.step = step;
  }

  /**
   * Limits that are in no policy.
   *
   * @param name what verdicts and counters call them
   * @param limits applied all or none; at least one
   * @param scope who is counted together
   */
  public static NamedLimits of(String name, List<Limit> limits, Scope scope) {
    if (limits.isEmpty()) {
      throw new IllegalArgumentException("limits must have at least one element, got []");
    }
    return new NamedLimits(Step.ofNamed(name, limits, scope));
  }

  /** The same limits, for everybody together. */
  public NamedLimits forAll() {
    return step.scope == Scope.GLOBAL ? this : of(step.name, step.limits, Scope.GLOBAL);
  }

  /** What verdicts call them. */
  public String name() {
    return step.name;
  }

  /** The limits. */
  public List<Limit> limits() {
    return step.limits;
  }

  /** Who is counted together. */
  public Scope scope() {
    return step.scope;
  }

  @Override
  public String toString() {
    return step.name + " " + step.limits + " by " + step.scope;
  }
}
