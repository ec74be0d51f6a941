package dev.weir.control.keys;

import java.security.SecureRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A key as its holder has it: {@code wk_<id>_<secret>}. The id is that of the row, in 32
 * hexadecimal digits; the secret is letters and digits, 32 of them in the keys that are made here,
 * which is 190 bits.
 */
final class KeyText {
  private static final String START = "wk_";
  private static final int ID_END = START.length() + 32;
  private static final int SHORTEST_SECRET = 20;
  private static final int LONGEST_SECRET = 128;
  private static final int SECRET_LENGTH = 32;
  private static final String LETTERS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final UUID id;
  private final String whole;

  private KeyText(UUID id, String whole) {
    this.id = id;
    this.whole = whole;
  }

  /** A new key. */
  static KeyText random() {
    StringBuilder secret = new StringBuilder();
    for (int i = 0; i < SECRET_LENGTH; i++) {
      secret.append(LETTERS.charAt(RANDOM.nextInt(LETTERS.length())));
    }
    UUID id = UUID.randomUUID();
    return new KeyText(id, START + id.toString().replace("-", "") + "_" + secret);
  }

  /** The key that a text is; null if it is none. */
  static @Nullable KeyText parseOrNull(String text) {
    int secretLength = text.length() - ID_END - 1;
    if (secretLength < SHORTEST_SECRET
        || secretLength > LONGEST_SECRET
        || !text.startsWith(START)
        || text.charAt(ID_END) != '_') {
      return null;
    }
    for (int i = ID_END + 1; i < text.length(); i++) {
      if (!isLetterOrDigit(text.charAt(i))) {
        return null;
      }
    }
    UUID id = idOrNull(text, START.length(), false);
    return id == null ? null : new KeyText(id, text);
  }

  private static boolean isLetterOrDigit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  /** The id in 32 lower-case digits from there on, in groups or not; null if there is none. */
  private static @Nullable UUID idOrNull(String text, int start, boolean isGrouped) {
    long high = 0;
    long low = 0;
    int at = start;
    for (int i = 0; i < 32; i++) {
      if (isGrouped && i >= 8 && i <= 20 && i % 4 == 0 && text.charAt(at++) != '-') {
        return null;
      }
      char c = text.charAt(at++);
      int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
      if (digit < 0) {
        return null;
      }
      high = high << 4 | low >>> 60;
      low = low << 4 | digit;
    }
    return new UUID(high, low);
  }

  /** An id as the database shows it, or as it stands in a key; null if it is none. */
  static @Nullable UUID idOrNull(String text) {
    return switch (text.length()) {
      case 32 -> idOrNull(text, 0, false);
      case 36 -> idOrNull(text, 0, true);
      default -> null;
    };
  }

  UUID id() {
    return id;
  }

  Fingerprint fingerprint() {
    return Fingerprint.of(whole.substring(ID_END + 1));
  }

  /** The whole key, for its holder. */
  String whole() {
    return whole;
  }

  /** Does not tell the secret. */
  @Override
  public String toString() {
    return START + id.toString().replace("-", "") + "_…";
  }
}
