package dev.weir.policy;

/**
 * Tells the ids of API keys from the keys themselves. Ids are stored and shown; a key is a secret,
 * so a key in the place of an id, a user or a tier is refused, with a message that does not repeat
 * it.
 */
public final class ApiKeyIds {
  /** How every issued key starts; 32 hexadecimal digits, an underscore and the secret follow. */
  private static final String KEY_START = "wk_";

  private static final int ID_LENGTH = 32;
  private static final String REDACTED = "redacted";

  private ApiKeyIds() {}

  /**
   * Returns the id.
   *
   * @throws IllegalArgumentException if it is a key
   */
  public static String requireId(String text) {
    if (isKey(text)) {
      throw new IllegalArgumentException("must be the id of an API key, not the key itself");
    }
    return text;
  }

  /** Whether the text is an API key, whole or cut off, rather than the id of one. */
  public static boolean isKey(String text) {
    return text.strip().startsWith(KEY_START) || containsKey(text);
  }

  /** Whether an API key stands anywhere in the text. */
  public static boolean containsKey(String text) {
    return secretIn(text, 0) >= 0;
  }

  /**
   * Returns a path in which the secrets of API keys are replaced: paths are stored and shown, and
   * some services take keys as a segment.
   */
  public static String redact(String path) {
    String redacted = path;
    for (int secret = secretIn(path, 0); secret >= 0; ) {
      int slash = redacted.indexOf('/', secret);
      String rest = slash < 0 ? "" : redacted.substring(slash);
      redacted = redacted.substring(0, secret) + REDACTED + rest;
      secret = secretIn(redacted, secret + REDACTED.length());
    }
    return redacted;
  }

  /** Where the secret of the first API key from an index on starts; negative if there is none. */
  private static int secretIn(String text, int from) {
    int start = text.indexOf(KEY_START, from);
    while (start >= 0) {
      int idStart = start + KEY_START.length();
      if (isId(text, idStart)) {
        return idStart + ID_LENGTH + 1;
      }
      start = text.indexOf(KEY_START, idStart);
    }
    return -1;
  }

  private static boolean isId(String text, int start) {
    int end = start + ID_LENGTH;
    if (end >= text.length() || text.charAt(end) != '_') {
      return false;
    }
    for (int i = start; i < end; i++) {
      if (Character.digit(text.charAt(i), 16) < 0) {
        return false;
      }
    }
    return true;
  }
}
