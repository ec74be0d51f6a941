package dev.weir.http;

import dev.weir.policy.Client;
import org.jspecify.annotations.Nullable;

/** Verifies tokens. */
@FunctionalInterface
public interface Tokens {

  /**
   * Whom the token speaks for; null if there is no token or it cannot be verified.
   *
   * @param token as it came; null if none did
   * @param sender who sent it, as far as the address tells, so that those who send many bad ones
   *     can be ignored
   */
  @Nullable Holder verify(@Nullable String token, Client sender);

  /** Whether it may ever verify one; if not, requests need not be searched for tokens. */
  default boolean verifiesAny() {
    return true;
  }

  /** Verifies no token. */
  static Tokens none() {
    return new Tokens() {
      @Override
      public @Nullable Holder verify(@Nullable String token, Client sender) {
        return null;
      }

      @Override
      public boolean verifiesAny() {
        return false;
      }
    };
  }

  /**
   * Whom a token speaks for.
   *
   * @param user the user, 1 to 255 characters long
   * @param tier the user's tier, 1 to 255 characters long; null if the token names none
   */
  record Holder(String user, @Nullable String tier) {
    public Holder {
      requireLength("user", user);
      if (tier != null) {
        requireLength("tier", tier);
      }
    }

    private static void requireLength(String name, String value) {
      if (value.isEmpty() || value.length() > Client.MAX_LENGTH) {
        throw new IllegalArgumentException(
            "%s must be 1 to %d characters long, got %d"
                .formatted(name, Client.MAX_LENGTH, value.length()));
      }
    }
  }
}
