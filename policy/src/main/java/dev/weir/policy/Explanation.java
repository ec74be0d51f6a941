package dev.weir.policy;

import java.util.ArrayList;
import java.util.List;

/**
 * Why a request would be decided as it would.
 *
 * @param verdict what would be said now; nothing was consumed
 * @param lines one for each rule, in the order of the walk
 */
public record Explanation(Verdict verdict, List<Line> lines) {
  public Explanation {
    lines = List.copyOf(lines);
  }

  /**
   * What one rule has to do with the request.
   *
   * @param rule its name
   * @param effect whether it has a say
   * @param detail why, in words
   */
  public record Line(String rule, Effect effect, String detail) {}

  /** Whether a rule has a say. */
  public enum Effect {
    /** It decides, or its limits hold. */
    APPLIES,
    /** It would have a say, but is in shadow mode. */
    SHADOW,
    /** One of its conditions does not hold. */
    NO_MATCH,
    /** It would match, but something before it has ended the walk. */
    NOT_REACHED
  }

  static Explanation of(Verdict verdict, Policy policy, Match match, boolean isEarly) {
    List<Line> lines = new ArrayList<>();
    for (Step step : policy.steps()) {
      lines.add(line(step, verdict, match, isEarly));
    }
    if (!isEarly) {
      addOwn(lines, policy.steps(), match);
    }
    return new Explanation(verdict, lines);
  }

  /** A client's own limits and its quota are no steps of the policy, but have their place in it. */
  private static void addOwn(List<Line> lines, List<Step> steps, Match match) {
    int at = 0;
    while (at < steps.size() && steps.get(at).level.compareTo(Step.Level.OWN) < 0) {
      at++;
    }
    for (Step step : match.enforced) {
      Line line = new Line(step.name, Effect.APPLIES, what(step));
      if (step.level == Step.Level.OWN) {
        lines.add(at++, line);
      } else if (step.level == Step.Level.QUOTA) {
        lines.add(line);
      }
    }
  }

  private static Line line(Step step, Verdict verdict, Match match, boolean isEarly) {
    String failing = step.match.firstFailing(verdict.request(), match.endpoint, match.tier);
    if (!failing.isEmpty()) {
      return new Line(step.name, Effect.NO_MATCH, failing);
    }
    if (isEarly) {
      return new Line(
          step.name, Effect.NOT_REACHED, "decided before the rules: " + verdict.cause());
    }
    if (match.shadows.contains(step)) {
      return new Line(step.name, Effect.SHADOW, "is only tried: " + what(step));
    }
    boolean isOverruled = match.ending != null && step != match.ending;
    if (step == match.ending || (match.enforced.contains(step) && !isOverruled)) {
      return new Line(step.name, Effect.APPLIES, what(step));
    }
    return new Line(step.name, Effect.NOT_REACHED, whyNotReached(step, match));
  }

  private static String what(Step step) {
    return switch (step.action) {
      case ALLOW -> "allows the request, uncounted";
      case BLOCK -> "blocks the request";
      case THROTTLE -> "limits each " + step.scope + " to " + limits(step);
    };
  }

  private static String limits(Step step) {
    StringBuilder text = new StringBuilder();
    step.limits.forEach(limit -> text.append(text.length() == 0 ? "" : " and ").append(limit));
    return text.toString();
  }

  private static String whyNotReached(Step step, Match match) {
    if (match.ending != null) {
      return match.ending.name + " decides, whatever the limits say";
    }
    if (step.level == Step.Level.DEFAULT) {
      return "other limits hold, so the default does not";
    }
    for (Step taken : match.enforced) {
      if (taken.isFinal) {
        return taken.name + " comes before and is the last to be looked at";
      }
    }
    return "not reached";
  }
}
