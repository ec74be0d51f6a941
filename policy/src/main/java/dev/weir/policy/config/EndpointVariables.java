package dev.weir.policy.config;

import dev.weir.Limit;
import org.jspecify.annotations.Nullable;

/** What {@code RATE_LIMIT_<NAME>_REQUESTS} and {@code _WINDOW} say about an endpoint. */
final class EndpointVariables {
  private static final Limit STANDARD = Limit.parse("100/60s");

  private final Source source;
  private final String requestsName;
  private final String windowName;

  EndpointVariables(Source source, String endpoint) {
    this.source = source;
    this.requestsName = Source.variableOf(endpoint, "requests");
    this.windowName = Source.variableOf(endpoint, "window");
  }

  /** The limit of the file with the permits and period of the variables; all else stays. */
  @Nullable Limit over(@Nullable Limit ofFile) {
    String requests = word(requestsName);
    String window = word(windowName);
    if (requests == null && window == null) {
      return ofFile;
    }
    Limit limit = ofFile == null ? STANDARD : ofFile;
    try {
      return LimitSection.changed(limit, requests, window);
    } catch (IllegalArgumentException wrong) {
      boolean isByWindow = window != null && (requests == null || !isRight(limit, window));
      source.reportVariable(isByWindow ? windowName : requestsName, Mistake.messageOf(wrong));
      return ofFile;
    }
  }

  private static boolean isRight(Limit limit, String window) {
    try {
      LimitSection.changed(limit, null, window);
      return true;
    } catch (IllegalArgumentException wrong) {
      // The caller reports what is wrong; this only tells which of two variables it is.
      return false;
    }
  }

  /** The value of a variable; null if it is not set, or no single word, which is reported. */
  private @Nullable String word(String name) {
    String value = source.variable(name);
    if (value == null || value.matches("\\S+")) {
      return value;
    }
    String example = name.equals(windowName) ? "a period, for example 60s" : "a number";
    source.reportVariable(name, "must be " + example + ", got \"" + value + "\"");
    return null;
  }
}
