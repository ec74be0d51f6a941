package dev.weir.http;

import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.ResponseSettings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a verdict says over HTTP. Immutable.
 *
 * @param status 200 for a request that may pass
 * @param fields the header fields, by their names
 * @param body what a refusal carries; empty otherwise
 * @param contentType the type of the body; empty without one
 */
public record Answer(int status, Map<String, String> fields, String body, String contentType) {
  private static final int BAD_REQUEST = 400;
  private static final String JSON = "application/json";
  private static final String PROBLEM = "application/problem+json";

  public Answer {
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
  }

  /** The answer to a verdict. */
  public static Answer to(Verdict verdict, ResponseSettings settings) {
    List<NamedLimit> limits = NamedLimit.of(verdict);
    Map<String, String> fields = Fields.of(verdict, limits, settings);
    if (verdict.isAllowed()) {
      return new Answer(200, fields, "", "");
    }
    return switch (settings.body()) {
      case JSON -> new Answer(verdict.status(), fields, RefusalBody.json(verdict), JSON);
      case PROBLEM ->
          new Answer(verdict.status(), fields, RefusalBody.problem(verdict, limits), PROBLEM);
    };
  }

  /** The answer to a request that cannot be understood. */
  public static Answer to(MalformedRequestException mistake, ResponseSettings settings) {
    return switch (settings.body()) {
      case JSON -> new Answer(BAD_REQUEST, Map.of(), RefusalBody.json(mistake), JSON);
      case PROBLEM -> new Answer(BAD_REQUEST, Map.of(), RefusalBody.problem(mistake), PROBLEM);
    };
  }
}
