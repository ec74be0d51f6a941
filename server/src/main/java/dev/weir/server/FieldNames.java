package dev.weir.server;

import io.vertx.core.http.HttpHeaders;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Names of header fields in the form in which they are sent, made once for each. Thread-safe. */
final class FieldNames {
  /** An operator may change the prefix of names as often as it pleases. */
  private static final int MOST = 100;

  private final Map<String, CharSequence> sent = new ConcurrentHashMap<>();

  /** The name as it is sent. */
  CharSequence of(String name) {
    CharSequence known = sent.get(name);
    if (known != null) {
      return known;
    }
    CharSequence made = HttpHeaders.createOptimized(name);
    if (sent.size() < MOST) {
      sent.put(name, made);
    }
    return made;
  }
}
