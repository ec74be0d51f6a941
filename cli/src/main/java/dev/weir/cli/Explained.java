package dev.weir.cli;

import dev.weir.policy.Explanation;
import dev.weir.policy.Explanation.Effect;
import dev.weir.policy.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What every rule has to do with a request, here or on a server, for people.
 *
 * @param request what is asked, by whom
 * @param cost of the request
 * @param rules in the order of the walk
 * @param decided what would be decided now
 */
record Explained(String request, long cost, List<Explanation.Line> rules, Decided decided) {
  /** What every condition that does not hold has in its message, and no other message. */
  private static final String CONDITION = " must ";

  static Explained of(Explanation explanation) {
    Verdict verdict = explanation.verdict();
    String tier = verdict.tier();
    return new Explained(
        request(
            verdict.request().method() + " " + verdict.request().path(),
            verdict.request().client().id(),
            tier == null ? "" : tier,
            verdict.endpoint()),
        verdict.request().cost(),
        explanation.lines(),
        Decided.of(verdict));
  }

  /**
   * Of what {@code /v1/explain} of a server has answered.
   *
   * @param asked method and path
   */
  static Explained of(AdminAnswer answer, String asked, long cost) {
    Decided decided = Decided.of(answer);
    Json.Members members = answer.object();
    Set<String> shadows =
        members.items("shadow").stream()
            .map(shadow -> shadow instanceof Json.Members one ? one.text("rule") : "")
            .collect(Collectors.toSet());
    List<Explanation.Line> rules = new ArrayList<>();
    for (Json rule : members.items("rules")) {
      if (!(rule instanceof Json.Members one)) {
        throw answer.strange("rules");
      }
      rules.add(
          new Explanation.Line(
              PlainText.of(one.text("rule")), effect(one, shadows), PlainText.of(one.text("why"))));
    }
    String request =
        request(asked, members.text("client"), members.text("tier"), members.text("endpoint"));
    return new Explained(PlainText.of(request), cost, rules, decided);
  }

  private static String request(String asked, String client, String tier, String endpoint) {
    return asked
        + " by "
        + client
        + (tier.isEmpty() ? "" : ", tier " + tier)
        + ", endpoint "
        + endpoint;
  }

  private static Effect effect(Json.Members rule, Set<String> shadows) {
    if (rule.isTrue("matched")) {
      return shadows.contains(rule.text("rule")) ? Effect.SHADOW : Effect.APPLIES;
    }
    return rule.text("why").contains(CONDITION) ? Effect.NO_MATCH : Effect.NOT_REACHED;
  }

  /**
   * The lines for people.
   *
   * @param isComplete whether rules are shown, too, that have nothing to do with the request
   */
  List<String> lines(boolean isComplete) {
    List<String> lines = new ArrayList<>(List.of(request, ""));
    for (Explanation.Line rule : rules) {
      if (isComplete || rule.effect() != Effect.NO_MATCH || isNear(rule)) {
        lines.add("  %-10s %s: %s".formatted(mark(rule.effect()), rule.rule(), rule.detail()));
      }
    }
    lines.add("");
    lines.add(Conclusion.of(decided, cost));
    return lines;
  }

  private static String mark(Effect effect) {
    return switch (effect) {
      case APPLIES -> "holds";
      case SHADOW -> "shadow";
      case NO_MATCH -> "no match";
      case NOT_REACHED -> "not asked";
    };
  }

  /** Whether a rule that does not match could be thought to: its path or endpoint does. */
  private static boolean isNear(Explanation.Line line) {
    return !line.detail().startsWith("path") && !line.detail().startsWith("endpoint");
  }
}
