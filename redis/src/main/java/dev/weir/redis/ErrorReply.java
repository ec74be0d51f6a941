package dev.weir.redis;

import dev.weir.redis.RedisStoreException.Kind;
import java.util.Locale;
import java.util.Map;

/** What an error that Redis replies means for us, told by its first word. */
final class ErrorReply {
  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          Map.entry("LOADING", Kind.TRANSIENT),
          Map.entry("BUSY", Kind.TRANSIENT),
          Map.entry("READONLY", Kind.TRANSIENT),
          Map.entry("MASTERDOWN", Kind.TRANSIENT),
          Map.entry("CLUSTERDOWN", Kind.TRANSIENT),
          Map.entry("TRYAGAIN", Kind.TRANSIENT),
          Map.entry("NOREPLICAS", Kind.TRANSIENT),
          Map.entry("UNBLOCKED", Kind.TRANSIENT),
          Map.entry("EXECABORT", Kind.TRANSIENT),
          Map.entry("OOM", Kind.CAPACITY),
          Map.entry("MISCONF", Kind.CAPACITY),
          Map.entry("NOAUTH", Kind.CONFIGURATION),
          Map.entry("WRONGPASS", Kind.CONFIGURATION),
          Map.entry("NOPERM", Kind.CONFIGURATION),
          Map.entry("WRONGTYPE", Kind.CONFIGURATION),
          Map.entry("CROSSSLOT", Kind.CONFIGURATION));

  private ErrorReply() {}

  static Kind kindOf(String message) {
    if (message.toLowerCase(Locale.ROOT).contains("max number of clients")) {
      return Kind.CAPACITY;
    }
    int space = message.indexOf(' ');
    String first = space < 0 ? message : message.substring(0, space);
    return KINDS.getOrDefault(first, Kind.CONFIGURATION);
  }
}
