package dev.weir.http;

import dev.weir.policy.JsonText;

/** What a caller is told whose request is not answered: one shape for all mistakes. */
public final class ErrorBody {
  private ErrorBody() {}

  /**
   * The object, on one line.
   *
   * @param status the HTTP status, whose phrase is {@code error}
   * @param message what is wrong and what was expected
   * @param field which part of the request is wrong; empty if none
   */
  public static String json(int status, String message, String field) {
    return new JsonText()
        .put("error", StatusPhrase.of(status))
        .put("message", message)
        .put("field", field)
        .toString();
  }
}
