package dev.weir.policy.config;

import java.util.Set;

/**
 * The section {@code [response]}: what answers look like.
 *
 * @param headers which families of header fields are sent
 * @param headerPrefix what the names of the first family start with
 * @param body the form of a refusal's body
 */
public record ResponseSettings(Set<HeaderFamily> headers, String headerPrefix, Body body) {
  public ResponseSettings {
    headers = Set.copyOf(headers);
  }

  /** A family of header fields. */
  public enum HeaderFamily {
    /** {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset}. */
    X_RATELIMIT("x-ratelimit"),
    /** {@code RateLimit} and {@code RateLimit-Policy} of the IETF's draft. */
    IETF("ietf");

    private final String text;

    HeaderFamily(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** The form of a refusal's body. */
  public enum Body {
    /** An object with error, message and retryAfter. */
    JSON("json"),
    /** Problem details by RFC 9457. */
    PROBLEM("problem");

    private final String text;

    Body(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
