package dev.weir.policy;

import java.util.regex.Pattern;

/** What things in a policy may be called: by people who write policies, never by clients. */
final class Names {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,255}");
  private static final Pattern TIER = Pattern.compile("[a-z0-9_]{1,50}");

  private Names() {}

  static void require(String part, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          part + " must be letters, digits, _, - and ., for example api_v1, got \"" + name + "\"");
    }
  }

  static void requireTier(String part, String name) {
    if (!TIER.matcher(name).matches()) {
      throw new IllegalArgumentException(
          part + " must be a-z, 0-9 and _, for example free, got \"" + name + "\"");
    }
  }
}
