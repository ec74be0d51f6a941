package dev.weir.cli;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is said of an answer by which a server has not obeyed. */
final class Refusal {
  /** What a server names as wrong that has no such path, or not with that method. */
  private static final Set<String> UNKNOWN = Set.of("path", "method");

  /** What a server names whose archive cannot be used: waiting does not help, its settings do. */
  private static final String ARCHIVE = "archive";

  private Refusal() {}

  /** Whether the server does not know what was asked, other than knowing no such entry. */
  static boolean isUnknownPath(AdminAnswer answer) {
    Json.Members error = answer.objectOrNull();
    return error == null || UNKNOWN.contains(error.text("field"));
  }

  /**
   * What is said.
   *
   * @param hasToken whether a token was shown
   */
  static RuntimeException of(AdminAnswer answer, AdminCall call, boolean hasToken) {
    Json.Members error = answer.objectOrNull();
    if (error != null) {
      List<String> mistakes =
          error.items("mistakes").stream().map(Refusal::line).filter(m -> !m.isEmpty()).toList();
      if (!mistakes.isEmpty()) {
        return new MistakesException(mistakes);
      }
    }
    return new InputException(line(answer, call, hasToken, error));
  }

  private static String line(
      AdminAnswer answer, AdminCall call, boolean hasToken, Json.@Nullable Members error) {
    ServerUrl url = answer.url();
    String message = error == null ? "" : error.text("message");
    return switch (answer.status()) {
      case 401 ->
          hasToken
              ? url + " does not take the token that was shown"
              : "%s wants a token; give --token or set %s"
                  .formatted(url, AdminClient.TOKEN_VARIABLE);
      case 404, 405 ->
          isUnknownPath(answer) || message.isEmpty()
              ? "%s knows no %s %s; is it a Weir server as new as this command?"
                  .formatted(url, call.method(), withoutQuery(call.path().text()))
              : message;
      case 412 -> "somebody has changed it in the meantime, look again" + behind(message);
      case 503 ->
          error != null && error.text("field").equals(ARCHIVE) && !message.isEmpty()
              ? message
              : url + " cannot do that now, try again later" + behind(message);
      default ->
          message.isEmpty()
              ? "%s answered %d and not why; is it a Weir server?".formatted(url, answer.status())
              : answer.status() < 500 ? message : "%s failed%s".formatted(url, behind(message));
    };
  }

  private static String behind(String message) {
    return message.isEmpty() ? "" : ": " + message;
  }

  private static String withoutQuery(String path) {
    int query = path.indexOf('?');
    return query < 0 ? path : path.substring(0, query);
  }

  private static String line(Json mistake) {
    return mistake instanceof Json.Text text ? PlainText.of(text.value()) : PlainText.of(mistake);
  }
}
