package dev.weir.http;

import dev.weir.policy.Client;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a token says, as far as it matters here. To be read after the signature only.
 *
 * @param holder whom it speaks for
 * @param notBeforeMicros when it starts to count, in microseconds since the epoch
 * @param expiryMicros when it ends to count, in microseconds since the epoch
 */
record TokenClaims(Tokens.Holder holder, long notBeforeMicros, long expiryMicros) {
  private static final long MICROS_PER_SECOND = 1_000_000;

  /** Far from now either way, and far from an overflow. */
  private static final long MOST_SECONDS = 1_000_000_000_000L;

  /** The names of the claims for user and tier. */
  record Names(String user, String tier) {}

  /** The claims, or null if the user is missing or a claim is not what it must be. */
  static @Nullable TokenClaims of(Map<String, Object> payload, Names names) {
    String user = text(payload.get(names.user));
    Long notBefore = micros(payload, "nbf", -MOST_SECONDS);
    Long expiry = micros(payload, "exp", MOST_SECONDS);
    if (user == null || notBefore == null || expiry == null) {
      return null;
    }
    Tokens.Holder holder = new Tokens.Holder(user, text(payload.get(names.tier)));
    return new TokenClaims(holder, notBefore, expiry);
  }

  /** A string, or a whole number in its decimal form; null if it is neither, or too long. */
  private static @Nullable String text(@Nullable Object claim) {
    String text;
    if (claim instanceof String || claim instanceof Long || claim instanceof Integer) {
      text = claim.toString();
    } else {
      // Other numbers are rounded by now, and two users would become one.
      return null;
    }
    return text.isEmpty() || text.length() > Client.MAX_LENGTH ? null : text;
  }

  private static @Nullable Long micros(Map<String, Object> payload, String name, long absent) {
    if (!payload.containsKey(name)) {
      return absent * MICROS_PER_SECOND;
    }
    if (!(payload.get(name) instanceof Number number)) {
      return null;
    }
    long seconds = Math.max(-MOST_SECONDS, Math.min(MOST_SECONDS, number.longValue()));
    return seconds * MICROS_PER_SECOND;
  }
}
