package dev.weir.http;

import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.ResponseSettings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** What a verdict says over HTTP. Immutable. */
public final class Answer {
  private static final int BAD_REQUEST = 400;
  private static final String JSON = "application/json";
  private static final String PROBLEM = "application/problem+json";

  private final int status;
  private final Map<String, String> fields;
  private final String body;
  private final String contentType;

  /** Keeps the map, which nobody else may have. */
  private Answer(int status, Map<String, String> fields, String body, String contentType) {
    this.status = status;
    this.fields = Collections.unmodifiableMap(fields);
    this.body = body;
    this.contentType = contentType;
  }

  /** The answer to a verdict. */
  public static Answer to(Verdict verdict, ResponseSettings settings) {
    List<NamedLimit> limits = NamedLimit.of(verdict);
    Map<String, String> fields = new LinkedHashMap<>();
    Fields.write(verdict, limits, settings, fields::put);
    if (verdict.isAllowed()) {
      return new Answer(200, fields, "", "");
    }
    return switch (settings.body()) {
      case JSON -> new Answer(verdict.status(), fields, RefusalBody.json(verdict), JSON);
      case PROBLEM ->
          new Answer(verdict.status(), fields, RefusalBody.problem(verdict, limits), PROBLEM);
    };
  }

  /** Names the header fields of the answer to a verdict, for those who need no more of it. */
  public static void fields(
      Verdict verdict, ResponseSettings settings, BiConsumer<String, String> fields) {
    Fields.write(verdict, NamedLimit.of(verdict), settings, fields);
  }

  /** The answer to a request that cannot be understood. */
  public static Answer to(MalformedRequestException mistake, ResponseSettings settings) {
    return switch (settings.body()) {
      case JSON -> new Answer(BAD_REQUEST, Map.of(), RefusalBody.json(mistake), JSON);
      case PROBLEM -> new Answer(BAD_REQUEST, Map.of(), RefusalBody.problem(mistake), PROBLEM);
    };
  }

  /** 200 for a request that may pass. */
  public int status() {
    return status;
  }

  /** The header fields, by their names. */
  public Map<String, String> fields() {
    return fields;
  }

  /** What a refusal carries; empty otherwise. */
  public String body() {
    return body;
  }

  /** The type of the body; empty without one. */
  public String contentType() {
    return contentType;
  }

  @Override
  public String toString() {
    return status + " " + fields + " " + body;
  }
}
