package dev.weir.server;

import dev.weir.policy.MalformedRequestException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the part of a request head that says where the request is meant to go and which page sent
 * it, before anything is decided by it.
 */
final class RequestHead {
  private static final int MAX_PORT_DIGITS = 5;

  private RequestHead() {}

  /**
   * Refuses a head that can be read in two ways.
   *
   * @throws MalformedRequestException if {@code Host} or {@code Origin} is given twice, or {@code
   *     Host} is missing over HTTP/1.1 or is not a host name or address with an optional port
   */
  static void require(HttpServerRequest request) {
    requireOnce(request, "host", HttpHeaders.HOST);
    requireOnce(request, "origin", HttpHeaders.ORIGIN);
    String host = host(request);
    if (host == null && request.version() == HttpVersion.HTTP_1_1) {
      throw new MalformedRequestException("host", "must be given");
    }
    if (host != null && !isHost(host)) {
      throw new MalformedRequestException(
          "host", "must be a host name or an address, with or without a port");
    }
  }

  private static void requireOnce(HttpServerRequest request, String name, CharSequence field) {
    List<String> lines = request.headers().getAll(field);
    if (lines.size() > 1) {
      throw new MalformedRequestException(name, "must be given once");
    }
  }

  /** The host that the caller addresses; null if the request names none. */
  static @Nullable String host(HttpServerRequest request) {
    if (request.version() != HttpVersion.HTTP_2) {
      return request.headers().get(HttpHeaders.HOST);
    }
    HostAndPort authority = request.authority();
    return authority == null ? null : authority.toString();
  }

  private static boolean isHost(String text) {
    int nameEnd;
    boolean isName;
    if (text.startsWith("[")) {
      nameEnd = text.indexOf(']') + 1;
      isName = nameEnd > 0 && isAll(text.substring(1, nameEnd - 1), ":.");
    } else {
      int colon = text.indexOf(':');
      nameEnd = colon < 0 ? text.length() : colon;
      isName = isAll(text.substring(0, nameEnd), "-._~");
    }
    return isName && isPort(text.substring(nameEnd));
  }

  /** Whether there are letters, digits and those other characters only. */
  private static boolean isAll(String text, String others) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isLetterOrDigit =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!isLetterOrDigit && others.indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether the text is empty or a colon with an optional port number. */
  private static boolean isPort(String text) {
    return text.isEmpty()
        || (text.charAt(0) == ':'
            && text.length() <= 1 + MAX_PORT_DIGITS
            && text.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
  }
}
