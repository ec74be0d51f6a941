package dev.weir.cli;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A part of the admin API.
 *
 * @param text its path and query, encoded
 */
record AdminPath(String text) {

  static AdminPath of(String part) {
    return new AdminPath("/v1/admin/" + part);
  }

  /**
   * One of the entries there.
   *
   * @param what how it is called in errors
   */
  AdminPath entry(String what, String name) {
    if (name.isEmpty()) {
      throw new InputException(what + " must not be empty");
    }
    return new AdminPath(text + "/" + encoded(name));
  }

  /** With a parameter, unless its value is null. */
  AdminPath with(String parameter, @Nullable String value) {
    return value == null
        ? this
        : new AdminPath(
            text + (text.indexOf('?') < 0 ? "?" : "&") + parameter + "=" + encoded(value));
  }

  /** With the wish that nothing be changed, if it is one. */
  AdminPath dryRun(boolean isDryRun) {
    return with("dry_run", isDryRun ? "true" : null);
  }

  /**
   * All but letters, digits and few signs by their bytes; dots, too, where they are all there is.
   */
  private static String encoded(String value) {
    boolean isDots = value.chars().allMatch(c -> c == '.');
    StringBuilder text = new StringBuilder();
    for (byte unit : value.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (unit & 0xff);
      boolean isPlain = "-_~:".indexOf(c) >= 0 || (c == '.' && !isDots) || isLetterOrDigit(c);
      text.append(isPlain ? String.valueOf(c) : "%%%02X".formatted((int) c));
    }
    return text.toString();
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
