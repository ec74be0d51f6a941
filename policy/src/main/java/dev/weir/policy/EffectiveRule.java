package dev.weir.policy;

import dev.weir.Limit;
import java.util.List;

/**
 * One rule in the order in which a policy walks over them: one that was written as such, or what a
 * tier, an endpoint or the default comes to.
 *
 * @param name as verdicts name it, such as {@code endpoint:chat}
 * @param level what it comes from: {@code rule}, {@code tier path}, {@code endpoint}, {@code tier}
 *     or {@code default}
 * @param priority of rules with the same level those with a higher one come first
 * @param isEnabled whether it is looked at at all
 * @param mode whether it may refuse
 * @param action what it does
 * @param isFinal whether the walk ends with it
 * @param match when it applies, in words; empty: always
 * @param limits what it adds if it throttles
 * @param scope what its counters are kept for
 */
public record EffectiveRule(
    String name,
    String level,
    int priority,
    boolean isEnabled,
    Mode mode,
    Action action,
    boolean isFinal,
    String match,
    List<Limit> limits,
    Scope scope) {

  static EffectiveRule of(Step step, boolean isEnabled) {
    return new EffectiveRule(
        step.name,
        step.level.toString(),
        step.priority,
        isEnabled,
        step.mode,
        step.action,
        step.isFinal,
        step.match.inWords(),
        step.limits,
        step.scope);
  }
}
