package dev.weir.http;

import dev.weir.policy.Cause;
import dev.weir.policy.JsonText;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Outcome;
import dev.weir.policy.Verdict;
import java.util.ArrayList;
import java.util.List;

/** The bodies of refusals: a plain object, or problem details by RFC 9457. */
final class RefusalBody {
  private static final int BAD_REQUEST = 400;

  private RefusalBody() {}

  static String json(Verdict verdict) {
    JsonText body =
        new JsonText()
            .put("error", StatusPhrase.of(verdict.status()))
            .put("message", verdict.message());
    long retryAfter = verdict.retryAfterSeconds();
    return (retryAfter > 0 ? body.put("retryAfter", retryAfter) : body).toString();
  }

  static String problem(Verdict verdict, List<NamedLimit> limits) {
    ProblemType type = ProblemType.of(verdict);
    JsonText body =
        new JsonText()
            .put("type", type.uri())
            .put("title", type.title(verdict.status()))
            .put("status", verdict.status())
            .put("detail", verdict.message());
    List<String> violated = violated(verdict, limits);
    return (violated.isEmpty() ? body : body.put("violated-policies", violated)).toString();
  }

  /** The limits that had no room for the request, or the one that a penalty runs for. */
  private static List<String> violated(Verdict verdict, List<NamedLimit> limits) {
    List<String> names = new ArrayList<>();
    if (verdict.outcome() != Outcome.THROTTLED) {
      return names;
    }
    boolean isPenalty = verdict.cause() == Cause.PENALTY;
    for (NamedLimit limit : limits) {
      boolean lacksRoom = limit.status().remaining() < verdict.request().cost();
      if (limit.isDecisive() || (lacksRoom && !isPenalty)) {
        names.add(limit.name());
      }
    }
    return names;
  }

  static String json(MalformedRequestException mistake) {
    return ErrorBody.json(BAD_REQUEST, message(mistake), mistake.field());
  }

  static String problem(MalformedRequestException mistake) {
    return new JsonText()
        .put("type", ProblemType.PLAIN.uri())
        .put("title", ProblemType.PLAIN.title(BAD_REQUEST))
        .put("status", BAD_REQUEST)
        .put("detail", message(mistake))
        .put("field", mistake.field())
        .toString();
  }

  private static String message(MalformedRequestException mistake) {
    String message = mistake.getMessage();
    return message == null ? "the request cannot be understood" : message;
  }
}
