package dev.weir.control.outbox;

/** Texts that every database takes: no NUL, no half of a pair, and not too long. */
public final class StorableText {
  private static final char REPLACEMENT = '\ufffd';

  private StorableText() {}

  /** The same text, or one as near as possible that every database takes. */
  public static String of(String text, int mostCharacters) {
    int length = Math.min(text.length(), mostCharacters);
    int plain = 0;
    while (plain < length && isPlain(text.charAt(plain))) {
      plain++;
    }
    if (plain == text.length()) {
      return text;
    }
    if (plain == length) {
      return text.substring(0, length);
    }
    StringBuilder storable = new StringBuilder(length).append(text, 0, plain);
    for (int i = plain; i < length; i++) {
      char c = text.charAt(i);
      boolean isPair =
          Character.isHighSurrogate(c)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (isPair && i + 1 == length) {
        // There is room for half of it only.
        break;
      }
      if (isPair) {
        storable.append(c).append(text.charAt(++i));
      } else {
        storable.append(isPlain(c) ? c : REPLACEMENT);
      }
    }
    return storable.toString();
  }

  private static boolean isPlain(char c) {
    return c != 0 && !Character.isSurrogate(c);
  }
}
