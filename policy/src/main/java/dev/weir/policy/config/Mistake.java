package dev.weir.policy.config;

import java.util.Objects;

/**
 * Something wrong in a configuration.
 *
 * @param place where: {@code weir.toml:14:9}, or the name of an environment variable
 * @param key what: the path of the key; empty if the text itself is no TOML, or for a variable
 * @param problem what came and what is right
 */
public record Mistake(String place, String key, String problem) {

  /** What was said about something wrong. */
  static String messageOf(Throwable wrong) {
    return Objects.requireNonNullElseGet(wrong.getMessage(), wrong::toString);
  }

  /** As it is shown: {@code weir.toml:14:9: tier[2].window: "60x" is no duration; …}. */
  @Override
  public String toString() {
    return key.isEmpty() ? place + ": " + problem : place + ": " + key + ": " + problem;
  }
}
