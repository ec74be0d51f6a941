package dev.weir.server.metrics;

import java.security.SecureRandom;

/**
 * The id of a client with a hash that nobody outside can foresee, so that nobody can choose ids
 * that collide. The hash is a polynomial of the text at a secret point, modulo the prime 2^61 - 1:
 * two texts of n characters collide by a chance of about n / 2^61, before it is cut to an int.
 */
final class ClientName {
  private static final long PRIME = (1L << 61) - 1;
  private static final long SECRET = new SecureRandom().nextLong(1L << 32, PRIME);
  private static final int CHARS_A_STEP = 3;

  private final String text;
  private final int hash;

  ClientName(String text) {
    this.text = text;
    this.hash = hash(text);
  }

  private static int hash(String text) {
    int length = text.length();
    long sum = length;
    for (int i = 0; i < length; i += CHARS_A_STEP) {
      long step = 0;
      for (int j = i; j < Math.min(i + CHARS_A_STEP, length); j++) {
        step = step << 16 | text.charAt(j);
      }
      sum = timesSecret(sum + step);
    }
    return Long.hashCode(sum);
  }

  /** The factor may be up to 2^62; so is the product's remainder, which is not the smallest. */
  private static long timesSecret(long factor) {
    long high = Math.multiplyHigh(factor, SECRET);
    long low = factor * SECRET;
    long sum = (low & PRIME) + (high << 3 | low >>> 61);
    return (sum & PRIME) + (sum >>> 61);
  }

  String text() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClientName name && hash == name.hash && text.equals(name.text);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
