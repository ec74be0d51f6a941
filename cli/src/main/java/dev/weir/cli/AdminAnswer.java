package dev.weir.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a server has answered. */
final class AdminAnswer {
  private static final int FIRST_FINE = 200;
  private static final int FIRST_OTHER = 300;

  private final ServerUrl url;
  private final int status;
  private final String contentType;
  private final byte[] body;

  AdminAnswer(ServerUrl url, int status, String contentType, byte[] body) {
    this.url = url;
    this.status = status;
    this.contentType = contentType;
    this.body = body;
  }

  /** Who answered. */
  ServerUrl url() {
    return url;
  }

  int status() {
    return status;
  }

  boolean isFine() {
    return status >= FIRST_FINE && status < FIRST_OTHER;
  }

  /** The body as it came. */
  String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** Whether the body says that it is of that type. */
  boolean is(String type) {
    return contentType.toLowerCase(Locale.ROOT).startsWith(type);
  }

  /** The body as an object; null if it is none. */
  Json.@Nullable Members objectOrNull() {
    try {
      return Json.parse(body) instanceof Json.Members members ? members : null;
    } catch (IOException isNone) {
      return null;
    }
  }

  Json json() {
    try {
      return Json.parse(body);
    } catch (IOException wrong) {
      throw strange("JSON");
    }
  }

  Json.Members object() {
    if (json() instanceof Json.Members members) {
      return members;
    }
    throw strange("a JSON object");
  }

  /** The items of a list, or of a page of it. */
  List<Json.Members> items() {
    if (!(object().get("items") instanceof Json.Items items)) {
      throw strange("items");
    }
    List<Json.Members> all = new ArrayList<>();
    for (Json item : items.values()) {
      if (!(item instanceof Json.Members members)) {
        throw strange("items");
      }
      all.add(members);
    }
    return all;
  }

  /** That the answer is not what was expected. */
  InputException strange(String expected) {
    return new InputException(
        "%s answered %d, but not with %s; is it a Weir server?".formatted(url, status, expected));
  }
}
