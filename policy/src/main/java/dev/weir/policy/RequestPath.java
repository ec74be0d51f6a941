package dev.weir.policy;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The one form in which paths are matched. Percent-encoding is decoded once; empty and dot
 * segments, matrix parameters, a trailing slash and the query are removed. What different servers
 * would route differently is refused: an encoded slash, backslash, semicolon or percent sign that
 * starts another code, control characters, invalid UTF-8, {@code ..} above the root or after an
 * empty segment, a segment of parameters only, and a fragment. A percent sign, question mark or
 * hash that belongs to the path stays encoded, so that the canonical form of a canonical form is
 * itself.
 */
public final class RequestPath {
  private static final int LONGEST = 8_192;

  /** Of each ASCII character whether it stays as it is, whatever stands beside it. */
  private static final boolean[] PLAIN = plain();

  private RequestPath() {}

  private static boolean[] plain() {
    boolean[] plain = new boolean[0x7f];
    for (char c = '!'; c < plain.length; c++) {
      plain[c] = "%;\\?#/.".indexOf(c) < 0;
    }
    return plain;
  }

  /**
   * The canonical form of a request target.
   *
   * @throws MalformedRequestException if it has none
   */
  public static String canonical(String target) {
    int length = canonicalLength(target);
    if (length > 0) {
      return target.substring(0, length);
    }
    if (target.equals("*")) {
      return target;
    }
    if (target.length() > LONGEST) {
      throw wrong("must be at most " + LONGEST + " characters long, got " + target.length());
    }
    return canonicalSegments(rawPath(target, endOfPath(target)));
  }

  /**
   * Refuses {@code .} and {@code ..}, encoded or not, where it is known that the framework behind
   * does not resolve them: it would take them for names.
   *
   * @param target a request target or its path
   * @throws MalformedRequestException if a segment is one of these
   */
  public static void requireNoDotSegments(String target) {
    int query = target.indexOf('?');
    int end = query < 0 ? target.length() : query;
    for (int slash = target.indexOf('/'); slash >= 0 && slash < end; ) {
      int next = target.indexOf('/', slash + 1);
      int segmentEnd = next < 0 || next > end ? end : next;
      if (isDots(target, slash + 1, segmentEnd)) {
        throw wrong("must not contain . or .. as a segment, got \"" + shown(target) + "\"");
      }
      slash = next;
    }
  }

  private static boolean isDots(String text, int start, int end) {
    int dots = 0;
    int at = start;
    while (at < end && text.charAt(at) != ';') {
      if (text.charAt(at) == '.') {
        at++;
      } else if (text.regionMatches(true, at, "%2e", 0, 3)) {
        at += 3;
      } else {
        return false;
      }
      dots++;
    }
    return dots == 1 || dots == 2;
  }

  /** The common case, found in one look: how long the path is; 0 if it has to be changed. */
  private static int canonicalLength(String target) {
    if (target.isEmpty() || target.length() > LONGEST || target.charAt(0) != '/') {
      return 0;
    }
    int at = 1;
    for (; at < target.length(); at++) {
      char c = target.charAt(at);
      if (c < PLAIN.length && PLAIN[c]) {
        continue;
      }
      if (c == '?') {
        break;
      }
      boolean isFirst = target.charAt(at - 1) == '/';
      if (isFirst || (c != '/' && c != '.')) {
        return 0;
      }
    }
    return at == 1 || target.charAt(at - 1) != '/' ? at : 0;
  }

  /** Where the query starts, if there is one. */
  private static int endOfPath(String target) {
    int query = target.indexOf('?');
    int end = query < 0 ? target.length() : query;
    int fragment = target.indexOf('#');
    if (fragment >= 0 && fragment < end) {
      throw wrong("must not contain a #, got \"" + shown(target) + "\"");
    }
    return end;
  }

  private static String rawPath(String target, int end) {
    int start = target.startsWith("/") ? 0 : endOfAuthority(target, end);
    return target.substring(start, end);
  }

  /** Where the path of an absolute-form target such as {@code https://example.org/a} starts. */
  private static int endOfAuthority(String target, int end) {
    int scheme = target.indexOf("://");
    if (scheme > end || !isScheme(target, scheme)) {
      throw wrong("must start with /, got \"" + shown(target) + "\"");
    }
    int start = scheme + 3;
    int slash = target.indexOf('/', start);
    int authorityEnd = slash < 0 || slash > end ? end : slash;
    if (authorityEnd == start) {
      throw wrong("must name a host after ://, got \"" + shown(target) + "\"");
    }
    requirePlain(target.substring(start, authorityEnd), target);
    return authorityEnd;
  }

  private static boolean isScheme(String target, int end) {
    for (int i = 0; i < end; i++) {
      char c = target.charAt(i);
      boolean isLetter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean isOther = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
      if (!isLetter && (i == 0 || !isOther)) {
        return false;
      }
    }
    return end > 0;
  }

  private static String canonicalSegments(String raw) {
    // Empty segments stay until the end: servers do not agree on what ".." removes after one.
    List<String> segments = new ArrayList<>();
    int start = 1;
    while (start < raw.length()) {
      int end = raw.indexOf('/', start);
      end = end < 0 ? raw.length() : end;
      add(segments, raw.substring(start, end), raw);
      start = end + 1;
    }
    segments.removeIf(String::isEmpty);
    return "/" + String.join("/", segments);
  }

  private static void add(List<String> segments, String rawSegment, String raw) {
    int semicolon = rawSegment.indexOf(';');
    String segment = decoded(semicolon < 0 ? rawSegment : rawSegment.substring(0, semicolon), raw);
    if (semicolon >= 0) {
      requireParameters(segment, rawSegment.substring(semicolon), raw);
    }
    if (segment.equals("..")) {
      removeLast(segments, raw);
    } else if (!segment.equals(".")) {
      segments.add(segment);
    }
  }

  /** Parameters are not matched, but to some servers they are a part of the segment. */
  private static void requireParameters(String segment, String parameters, String raw) {
    if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
      throw wrong("must not have parameters without a name, got \"" + shown(raw) + "\"");
    }
    decoded(parameters.replace(';', ','), raw);
  }

  private static void removeLast(List<String> segments, String raw) {
    if (segments.isEmpty()) {
      throw wrong("must not lead above the root, got \"" + shown(raw) + "\"");
    }
    if (segments.remove(segments.size() - 1).isEmpty()) {
      throw wrong("must not have .. after an empty segment, got \"" + shown(raw) + "\"");
    }
  }

  private static String decoded(String segment, String raw) {
    requirePlain(segment, raw);
    if (segment.indexOf('%') < 0) {
      return segment;
    }
    ByteBuffer bytes = ByteBuffer.wrap(unescaped(segment, raw));
    String decoded;
    try {
      decoded = StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException invalid) {
      throw wrong("must be valid UTF-8 when decoded, got \"" + shown(raw) + "\"");
    }
    requirePlain(decoded, raw);
    requireDecodedOnce(decoded, raw);
    return decoded.replace("%", "%25").replace("?", "%3F").replace("#", "%23");
  }

  private static byte[] unescaped(String segment, String raw) {
    byte[] text = segment.getBytes(StandardCharsets.UTF_8);
    byte[] bytes = new byte[text.length];
    int length = 0;
    for (int i = 0; i < text.length; i++) {
      if (text[i] == '%') {
        boolean isWhole = i + 2 < text.length;
        int high = isWhole ? Character.digit(text[i + 1], 16) : -1;
        int low = isWhole ? Character.digit(text[i + 2], 16) : -1;
        if (high < 0 || low < 0) {
          throw wrong("must have two hexadecimal digits after %, got \"" + shown(raw) + "\"");
        }
        bytes[length++] = (byte) (high << 4 | low);
        i += 2;
      } else {
        bytes[length++] = text[i];
      }
    }
    return Arrays.copyOf(bytes, length);
  }

  private static void requirePlain(String segment, String raw) {
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c < ' ' || (c >= 0x7f && c < 0xa0)) {
        throw wrong("must not contain control characters, got \"" + shown(raw) + "\"");
      }
      if (c == '\\') {
        throw wrong("must not contain a backslash, got \"" + shown(raw) + "\"");
      }
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(segment)) {
      throw wrong("must be valid Unicode, got \"" + shown(raw) + "\"");
    }
  }

  /** After decoding: nothing that another reader would take for a separator or decode again. */
  private static void requireDecodedOnce(String segment, String raw) {
    for (int i = 0; i < segment.length(); i++) {
      char c = segment.charAt(i);
      if (c == '/' || c == ';') {
        throw wrong("must not contain an encoded " + c + ", got \"" + shown(raw) + "\"");
      }
      boolean couldBeDecodedAgain =
          c == '%'
              && i + 2 < segment.length()
              && Character.digit(segment.charAt(i + 1), 16) >= 0
              && Character.digit(segment.charAt(i + 2), 16) >= 0;
      if (couldBeDecodedAgain) {
        throw wrong("must not be encoded twice, got \"" + shown(raw) + "\"");
      }
    }
  }

  private static String shown(String raw) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(raw.length(), 80); i++) {
      char c = raw.charAt(i);
      text.append(c < ' ' || c >= 0x7f || c == '"' || c == '\\' ? '?' : c);
    }
    return raw.length() > 80 ? text + "…" : text.toString();
  }

  private static MalformedRequestException wrong(String problem) {
    return new MalformedRequestException("path", problem);
  }
}
