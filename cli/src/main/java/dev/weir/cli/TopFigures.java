package dev.weir.cli;

import dev.weir.policy.JsonText;
import java.util.List;

/**
 * What {@code weir top} shows, as a server has told it.
 *
 * @param live how the last seconds were, second by second
 * @param stats endpoints and clients since the start
 * @param rules rules since the start
 */
record TopFigures(AdminAnswer live, AdminAnswer stats, AdminAnswer rules) {

  /** Asks for that many seconds. */
  static TopFigures of(AdminClient server, int seconds) {
    AdminPath live = AdminPath.of("live").with("seconds", Integer.toString(seconds));
    return new TopFigures(
        server.ask(AdminCall.get(live)),
        server.ask(AdminCall.get(AdminPath.of("stats"))),
        server.ask(AdminCall.get(AdminPath.of("stats/rules"))));
  }

  /** All of it as one object on one line. */
  String json() {
    return new JsonText()
        .putRaw("live", oneLine(live))
        .putRaw("stats", oneLine(stats))
        .putRaw("rules", oneLine(rules))
        .toString();
  }

  private static String oneLine(AdminAnswer answer) {
    answer.object();
    // Between values JSON may have line ends; in strings they are escaped.
    return answer.text().strip().replaceAll("\\s*[\\r\\n]+\\s*", " ");
  }

  /** One value of each second, the newest last. */
  long[] column(String name) {
    return live.object().items(name).stream().mapToLong(Json::number).toArray();
  }

  /** What is said of the server now. */
  String now(String name) {
    return PlainText.of(live.object().get(name));
  }

  /** What is wrong now. */
  List<String> problems() {
    return live.object().items("problems").stream().map(PlainText::of).toList();
  }

  /** Rows of one of the lists; those that are none are left out. */
  static List<Json.Members> rows(AdminAnswer answer, String list) {
    return answer.object().items(list).stream()
        .filter(Json.Members.class::isInstance)
        .map(Json.Members.class::cast)
        .toList();
  }
}
