package dev.weir.cli;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;

/**
 * Where a server is.
 *
 * @param text as it is shown, without a slash at the end
 */
record ServerUrl(String text) {
  static final String USUAL = "http://127.0.0.1:8080";

  private static final Set<String> SCHEMES = Set.of("http", "https");
  private static final int LAST_PORT = 65_535;

  /**
   * Reads what a user has given.
   *
   * @throws IllegalArgumentException if it is none
   */
  static ServerUrl parse(String text) {
    // It would be shown in errors, and it would not be used.
    if (text.indexOf('@') >= 0) {
      throw new IllegalArgumentException(
          "must have no user and no password; who asks is shown by --token");
    }
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException wrong) {
      throw none(text);
    }
    String scheme = uri.getScheme();
    if (scheme == null
        || !SCHEMES.contains(scheme.toLowerCase(Locale.ROOT))
        || uri.getHost() == null
        || uri.getPort() > LAST_PORT
        || uri.getPort() == 0
        || uri.getRawQuery() != null
        || uri.getRawFragment() != null) {
      throw none(text);
    }
    String whole = text;
    while (whole.endsWith("/")) {
      whole = whole.substring(0, whole.length() - 1);
    }
    return new ServerUrl(whole);
  }

  private static IllegalArgumentException none(String text) {
    return new IllegalArgumentException(
        "\"%s\" is no URL of a server; write for example %s".formatted(text, USUAL));
  }

  URI resolve(AdminPath path) {
    return URI.create(text + path.text());
  }

  @Override
  public String toString() {
    return text;
  }
}
