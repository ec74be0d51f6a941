package dev.weir.redis;

import org.jspecify.annotations.Nullable;

/**
 * What a node of a cluster says about a slot that is not its own, or not any more.
 *
 * @param kind what to do
 * @param host where to go; empty for the host of the node that says so
 * @param port where to go; 0 if it says nothing of that
 */
record Redirect(Kind kind, String host, int port) {

  /** What to do. */
  enum Kind {
    /** The slot is elsewhere for good. */
    MOVED,
    /** The slot is on the move, and these keys are there already. */
    ASK,
    /** The slot is on the move, and some keys are there already and some are not. */
    TRYAGAIN
  }

  /** What an error says; null if it is about something else. */
  static @Nullable Redirect in(String error) {
    String[] words = error.split(" ", -1);
    return switch (words[0]) {
      case "MOVED" -> to(Kind.MOVED, words);
      case "ASK" -> to(Kind.ASK, words);
      case "TRYAGAIN" -> new Redirect(Kind.TRYAGAIN, "", 0);
      default -> null;
    };
  }

  private static @Nullable Redirect to(Kind kind, String[] words) {
    if (words.length < 3) {
      return null;
    }
    int colon = words[2].lastIndexOf(':');
    try {
      return new Redirect(
          kind,
          words[2].substring(0, Math.max(0, colon)),
          Integer.parseInt(words[2].substring(colon + 1)));
    } catch (NumberFormatException unreadable) {
      return null;
    }
  }
}
