package dev.weir.redis;

import dev.weir.redis.RedisStoreException.Kind;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What an error that Redis replies means for us, told by its code. */
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

  /** Before Redis 7 the error of a command in a script was wrapped in one of the script. */
  private static final Pattern IN_SCRIPT =
      Pattern.compile("^ERR Error running script .*?: -([A-Z]+) ");

  private ErrorReply() {}

  /** The error that the server replied, if that is why something failed. */
  static @Nullable String in(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof RedisCommandExecutionException && cause.getMessage() != null) {
        return cause.getMessage();
      }
    }
    return null;
  }

  /** Whether the server is a replica, which takes no writes. */
  static boolean isFromReplica(String message) {
    return codeOf(message).equals("READONLY");
  }

  /** Whether every write would get that error, whichever client sends it. */
  static boolean isAboutServer(String message) {
    Kind kind = kindOf(message);
    return kind == Kind.TRANSIENT || kind == Kind.CAPACITY;
  }

  static Kind kindOf(String message) {
    if (message.toLowerCase(Locale.ROOT).contains("max number of clients")) {
      return Kind.CAPACITY;
    }
    return KINDS.getOrDefault(codeOf(message), Kind.CONFIGURATION);
  }

  /** The error, and what to do about it where it does not say so. */
  static String explained(String message) {
    String code = codeOf(message);
    return code.equals("MOVED") || code.equals("ASK")
        ? message + ": the server belongs to a cluster and has to be opened as one"
        : message;
  }

  private static String codeOf(String message) {
    Matcher inScript = IN_SCRIPT.matcher(message);
    if (inScript.find()) {
      return inScript.group(1);
    }
    int space = message.indexOf(' ');
    return space < 0 ? message : message.substring(0, space);
  }
}
