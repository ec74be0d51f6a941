package dev.weir.policy;

/** What things in a policy may be called: by people who write policies, never by clients. */
final class Names {
  private static final int LONGEST_NAME = 255;
  private static final int LONGEST_TIER = 50;

  private Names() {}

  static void require(String part, String name) {
    requireLength(part, name, LONGEST_NAME);
    if (!isOf(name, true)) {
      throw new IllegalArgumentException(
          part + " must be letters, digits, _, - and ., for example api_v1, got \"" + name + "\"");
    }
  }

  static void requireTier(String part, String name) {
    requireLength(part, name, LONGEST_TIER);
    if (!isOf(name, false)) {
      throw new IllegalArgumentException(
          part + " must be a-z, 0-9 and _, for example free, got \"" + name + "\"");
    }
  }

  /** The name itself is left out of the message: it may be as long as a whole request. */
  private static void requireLength(String part, String name, int longest) {
    if (name.length() > longest) {
      throw new IllegalArgumentException(
          "%s must have at most %d characters, got %d".formatted(part, longest, name.length()));
    }
  }

  /** By hand, and not by a regular expression: large policies have many names. */
  private static boolean isOf(String name, boolean mayHaveMore) {
    boolean isRight = !name.isEmpty();
    for (int i = 0; i < name.length() && isRight; i++) {
      char c = name.charAt(i);
      boolean isPlain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
      isRight = isPlain || (mayHaveMore && ((c >= 'A' && c <= 'Z') || c == '.' || c == '-'));
    }
    return isRight;
  }
}
