package dev.weir.http;

import java.nio.charset.StandardCharsets;

/**
 * Strings of structured fields (RFC 9651), which hold printable ASCII only: quotes and backslashes
 * are escaped, and all that is not printable ASCII is percent-encoded as UTF-8.
 */
final class StructuredText {
  private static final String HEX = "0123456789ABCDEF";

  private StructuredText() {}

  static void append(StringBuilder text, String value) {
    text.append('"');
    for (byte octet : value.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (octet & 0xff);
      if (c < ' ' || c > '~') {
        text.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
      } else {
        text.append(c == '"' || c == '\\' ? "\\" : "").append(c);
      }
    }
    text.append('"');
  }
}
