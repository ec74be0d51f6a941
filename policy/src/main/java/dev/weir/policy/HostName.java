package dev.weir.policy;

import java.util.Locale;

/**
 * The host that a {@code Host} field names: in lower case, without a port and without the dot of a
 * full name. Servers route all of its spellings alike, so rules must not tell them apart.
 */
final class HostName {
  /** The field in which hosts are named. */
  static final String FIELD = "host";

  private HostName() {}

  static String canonical(String text) {
    String host = withoutPort(text);
    boolean hasDot = host.length() > 1 && host.endsWith(".");
    return (hasDot ? host.substring(0, host.length() - 1) : host).toLowerCase(Locale.ROOT);
  }

  /** An IPv6 address is in brackets, so that its colons start no port. */
  private static String withoutPort(String text) {
    int colon = text.lastIndexOf(':');
    boolean isPort = colon > 0 && text.indexOf(':', text.lastIndexOf(']') + 1) == colon;
    for (int i = colon + 1; isPort && i < text.length(); i++) {
      isPort = text.charAt(i) >= '0' && text.charAt(i) <= '9';
    }
    return isPort ? text.substring(0, colon) : text;
  }
}
