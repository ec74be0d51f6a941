package dev.weir.policy.config;

import java.util.regex.Pattern;

/** The words of HTTP: names of header fields and methods (RFC 9110, section 5.6.2). */
final class HttpToken {
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

  private HttpToken() {}

  static boolean isOne(String text) {
    return TOKEN.matcher(text).matches();
  }
}
