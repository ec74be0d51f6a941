package dev.weir.backtest;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Texts in which servers have escaped what would end a line or a quote. */
final class EscapedText {
  private EscapedText() {}

  /** {@code \x22}, {@code \"}, {@code \\}, {@code \t}; what is no escape stays as it is. */
  static String of(byte[] bytes, int from, int to) {
    byte[] plain = new byte[to - from];
    int length = 0;
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      boolean isEscape = b == '\\' && i + 1 < to;
      if (isEscape && bytes[i + 1] == 'x' && i + 3 < to && hex(bytes, i + 2) >= 0) {
        b = (byte) hex(bytes, i + 2);
        i += 3;
      } else if (isEscape && letter(bytes[i + 1]) != 0) {
        b = letter(bytes[++i]);
      }
      plain[length++] = b;
    }
    return new String(Arrays.copyOf(plain, length), StandardCharsets.UTF_8);
  }

  private static int hex(byte[] bytes, int at) {
    int high = Character.digit(bytes[at], 16);
    int low = Character.digit(bytes[at + 1], 16);
    return high < 0 || low < 0 ? -1 : high << 4 | low;
  }

  /** What stands behind a backslash for another character; 0 if nothing does. */
  private static byte letter(byte escaped) {
    return switch (escaped) {
      case '"', '\\' -> escaped;
      case 't' -> '\t';
      case 'n' -> '\n';
      case 'r' -> '\r';
      default -> 0;
    };
  }
}
