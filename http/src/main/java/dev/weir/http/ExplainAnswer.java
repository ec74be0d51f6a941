package dev.weir.http;

import dev.weir.policy.Explanation;
import dev.weir.policy.JsonText;
import dev.weir.policy.config.ResponseSettings;

/**
 * An explanation as {@code /v1/explain} answers it: the object of a check, and in {@code rules}
 * every rule in the order of the walk, whether it matched, and why.
 */
public final class ExplainAnswer {
  private ExplainAnswer() {}

  /** The object, on one line. */
  public static String json(Explanation explanation, ResponseSettings settings) {
    return CheckAnswer.text(explanation.verdict(), settings)
        .putObjects("rules", explanation.lines(), ExplainAnswer::put)
        .toString();
  }

  private static void put(JsonText text, Explanation.Line line) {
    text.put("rule", line.rule())
        .put("matched", isMatched(line.effect()))
        .put("why", line.detail());
  }

  /** A rule that was not asked has matched nothing, though its conditions might hold. */
  private static boolean isMatched(Explanation.Effect effect) {
    return switch (effect) {
      case APPLIES, SHADOW -> true;
      case NO_MATCH, NOT_REACHED -> false;
    };
  }
}
