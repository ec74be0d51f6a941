package dev.weir.policy;

import dev.weir.Limit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Conditions, and what happens to requests that meet them.
 *
 * @param name letters, digits, {@code _}, {@code -} and {@code .}; unique in a policy
 * @param priority rules with a higher one come first; ties are broken by name
 * @param match when it applies
 * @param limits what it adds if it throttles; empty otherwise
 * @param scope what its counters are kept for
 * @param action what it does
 * @param isFinal whether the walk over the rules ends with it
 * @param mode whether it may refuse
 * @param failureMode what happens when its counters cannot be reached; null: as for all
 * @param refusal how its refusals are answered
 * @param isEnabled whether it is looked at at all
 */
public record Rule(
    String name,
    int priority,
    Conditions match,
    List<Limit> limits,
    Scope scope,
    Action action,
    boolean isFinal,
    Mode mode,
    @Nullable FailureMode failureMode,
    Refusal refusal,
    boolean isEnabled) {

  /** The priority of a rule that gives none. */
  public static final int DEFAULT_PRIORITY = 100;

  public Rule {
    Names.require("name", name);
    Objects.requireNonNull(match, "match");
    Objects.requireNonNull(scope, "scope");
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(refusal, "refusal");
    limits = List.copyOf(limits);
    if (action == Action.THROTTLE && limits.isEmpty()) {
      throw new IllegalArgumentException(
          "limits must have at least one element to throttle, for example [\"100/s\"], got []");
    }
    if (action != Action.THROTTLE && !limits.isEmpty()) {
      throw new IllegalArgumentException(
          "limits are for action throttle only, got them with " + action + "; leave them out");
    }
  }

  /** A rule that throttles each client, for requests that meet the conditions. */
  public static Rule throttle(String name, Conditions match, List<Limit> limits) {
    return new Rule(
        name,
        DEFAULT_PRIORITY,
        match,
        limits,
        Scope.CLIENT,
        Action.THROTTLE,
        false,
        Mode.ENFORCE,
        null,
        Refusal.plain(),
        true);
  }
}
