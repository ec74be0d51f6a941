package dev.weir.policy;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads one address from left to right. Accepts IPv4 in four decimal numbers without leading zeros
 * (octal to some readers), IPv6 in all forms of RFC 4291, and a zone after {@code %}, which is not
 * part of the address and is left out.
 */
final class AddressText {
  private static final int LONGEST = 100;

  private final CharSequence text;
  private final int end;
  private int at;
  private int[] groups = {};
  private int count;
  private int gapAt = -1;

  AddressText(CharSequence text) {
    this.text = text;
    this.end = text.length();
  }

  /** The 32 bits of the IPv4 address that the text is from here to there, or -1. */
  static long v4(CharSequence text, int from, int to) {
    long bits = 0;
    int number = 0;
    int digits = 0;
    int dots = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (isDigit(c)) {
        boolean isAfterZero = digits > 0 && number == 0;
        number = number * 10 + c - '0';
        digits++;
        if (isAfterZero || number > 255) {
          return -1;
        }
      } else if (c == '.' && digits > 0 && dots < 3) {
        bits = bits << 8 | number;
        number = 0;
        digits = 0;
        dots++;
      } else {
        return -1;
      }
    }
    return dots == 3 && digits > 0 ? bits << 8 | number : -1;
  }

  /** The text of an IPv4 address behind another one, which is ASCII. */
  static String ofV4(String before, int bits) {
    byte[] text = new byte[before.length() + 15];
    int at = 0;
    for (; at < before.length(); at++) {
      text[at] = (byte) before.charAt(at);
    }
    for (int shift = 24; shift >= 0; shift -= 8) {
      int number = bits >>> shift & 0xff;
      if (number >= 100) {
        text[at++] = (byte) ('0' + number / 100);
      }
      if (number >= 10) {
        text[at++] = (byte) ('0' + number / 10 % 10);
      }
      text[at++] = (byte) ('0' + number % 10);
      if (shift > 0) {
        text[at++] = '.';
      }
    }
    return new String(text, 0, at, StandardCharsets.ISO_8859_1);
  }

  @Nullable Address parse() {
    if (end == 0 || end > LONGEST) {
      return null;
    }
    return v6();
  }

  private @Nullable Address v6() {
    int to = endOfBits();
    groups = new int[8];
    if (to < 0 || !readGroups(to)) {
      return null;
    }
    if (gapAt < 0 ? count != 8 : count > 7) {
      return null;
    }
    long high = 0;
    long low = 0;
    for (int i = 0; i < 8; i++) {
      int group = groupAt(i);
      if (i < 4) {
        high = high << 16 | group;
      } else {
        low = low << 16 | group;
      }
    }
    return Address.ofBits(high, low);
  }

  private int groupAt(int index) {
    if (gapAt < 0 || index < gapAt) {
      return groups[index];
    }
    int fromEnd = index - (8 - count);
    return fromEnd >= gapAt ? groups[fromEnd] : 0;
  }

  /** Where the zone starts, or the end; -1 if the zone is empty. */
  private int endOfBits() {
    for (int i = 0; i < end; i++) {
      if (text.charAt(i) == '%') {
        return i + 1 < end && isZone(i + 1) ? i : -1;
      }
    }
    return end;
  }

  private boolean isZone(int from) {
    for (int i = from; i < end; i++) {
      char c = text.charAt(i);
      if (!isDigit(c) && !isLetter(c) && "._-~".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  private boolean readGroups(int to) {
    if (to >= 2 && text.charAt(0) == ':' && text.charAt(1) == ':') {
      gapAt = 0;
      at = 2;
    }
    while (at < to) {
      if (count == 8) {
        return false;
      }
      int start = at;
      int group = hex(to);
      if (at < to && text.charAt(at) == '.') {
        at = start;
        return readEmbeddedV4(to);
      }
      if (group < 0) {
        return false;
      }
      groups[count++] = group;
      if (at < to && !readSeparator(to)) {
        return false;
      }
    }
    return true;
  }

  /** After a group and before the next: a colon, or two where the zeros are left out. */
  private boolean readSeparator(int to) {
    if (!accept(':') || at == to) {
      return false;
    }
    if (text.charAt(at) == ':') {
      if (gapAt >= 0) {
        return false;
      }
      gapAt = count;
      at++;
    }
    return true;
  }

  private boolean readEmbeddedV4(int to) {
    long bits = count > 6 ? -1 : v4(text, at, to);
    if (bits < 0) {
      return false;
    }
    groups[count++] = (int) (bits >>> 16);
    groups[count++] = (int) (bits & 0xffff);
    return true;
  }

  private int hex(int to) {
    int start = at;
    int number = 0;
    while (at < to && at - start < 4) {
      int digit = Character.digit(text.charAt(at), 16);
      if (digit < 0 || text.charAt(at) > 'f') {
        break;
      }
      number = number << 4 | digit;
      at++;
    }
    return at == start ? -1 : number;
  }

  private boolean accept(char c) {
    if (at < end && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
