package dev.weir.http;

import dev.weir.LimitStatus;
import dev.weir.policy.JsonText;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.ResponseSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A verdict as {@code /v1/check} answers it: one JSON object with all there is to know. */
public final class CheckAnswer {
  private static final long SECOND_MICROS = 1_000_000;

  private CheckAnswer() {}

  /** The object, on one line. */
  public static String json(Verdict verdict, ResponseSettings settings) {
    return text(verdict, settings).toString();
  }

  /** The object, for members that are added. */
  static JsonText text(Verdict verdict, ResponseSettings settings) {
    List<NamedLimit> limits = NamedLimit.of(verdict);
    JsonText text =
        new JsonText()
            .put("allowed", verdict.isAllowed())
            .put("decision", verdict.outcome().toString())
            .put("client", verdict.request().client().id());
    putOrNull(text, "tier", verdict.tier());
    text.put("endpoint", verdict.endpoint());
    putOrNull(text, "rule", verdict.rule());
    LimitStatus decisive = verdict.decisive();
    if (decisive != null) {
      text.put("limit", decisive.limit().capacity())
          .put("remaining", decisive.remaining())
          .put("reset", seconds(decisive.resetMicros()));
    }
    if (verdict.retryAfterSeconds() > 0) {
      text.put("retry_after", verdict.retryAfterSeconds());
    }
    text.put("reason", verdict.cause().toString())
        .put("degraded", verdict.isDegraded())
        .put("policy", verdict.policy())
        .putObject("headers", headers -> Fields.write(verdict, limits, settings, headers::put))
        .putObjects("limits", verdict.standings(), (each, limit) -> put(each, limit, verdict));
    return verdict.shadows().isEmpty()
        ? text
        : text.putObjects("shadow", verdict.shadows(), CheckAnswer::put);
  }

  private static void put(JsonText text, Verdict.Shadow shadow) {
    text.put("rule", shadow.rule()).put("allowed", !shadow.refuses());
  }

  private static void put(JsonText text, Verdict.Standing standing, Verdict verdict) {
    LimitStatus status = standing.status();
    text.put("rule", standing.rule())
        .put("limit", status.limit().capacity())
        .put("window", seconds(WindowLength.micros(status.limit(), verdict.atMicros())))
        .put("remaining", status.remaining())
        .put("reset", seconds(status.resetMicros()));
  }

  private static void putOrNull(JsonText text, String name, @Nullable String value) {
    if (value == null) {
      text.putRaw(name, "null");
    } else {
      text.put(name, value);
    }
  }

  private static long seconds(long micros) {
    return -Math.floorDiv(-micros, SECOND_MICROS);
  }
}
