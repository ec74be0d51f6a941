package dev.weir.policy;

/**
 * Text as people may safely look at it: control characters, line separators and format characters,
 * such as those that turn the direction of text, are written by their codes.
 */
public final class VisibleText {
  private VisibleText() {}

  /** Returns the text with each invisible character as {@code \\u202e}. */
  public static String escape(String text) {
    StringBuilder escaped = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isInvisible(text, i)) {
        escaped = escaped == null ? new StringBuilder(text.substring(0, i)) : escaped;
        escaped.append("\\u%04x".formatted((int) c));
      } else if (escaped != null) {
        escaped.append(c);
      }
    }
    return escaped == null ? text : escaped.toString();
  }

  /**
   * Whether the character at an index is invisible. Of a surrogate pair, both halves are if the
   * character that they make up is.
   */
  public static boolean isInvisible(String text, int index) {
    char c = text.charAt(index);
    if (c < 0x7f) {
      return c < ' ';
    }
    int codePoint = codePointOf(text, index);
    return Character.isISOControl(codePoint)
        || Character.getType(codePoint) == Character.FORMAT
        || codePoint == '\u2028'
        || codePoint == '\u2029';
  }

  private static int codePointOf(String text, int index) {
    boolean isSecondHalf =
        Character.isLowSurrogate(text.charAt(index))
            && index > 0
            && Character.isHighSurrogate(text.charAt(index - 1));
    return text.codePointAt(isSecondHalf ? index - 1 : index);
  }
}
