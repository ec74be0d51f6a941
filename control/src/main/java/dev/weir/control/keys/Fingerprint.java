package dev.weir.control.keys;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The SHA-256 of a secret. How long a comparison takes tells nothing of it, nor does its text. */
final class Fingerprint {
  private static final HexFormat HEX = HexFormat.of();
  private static final ThreadLocal<MessageDigest> SHA256 =
      ThreadLocal.withInitial(Fingerprint::sha256);

  private final byte[] hash;

  private Fingerprint(byte[] hash) {
    this.hash = hash;
  }

  /** That of a secret. */
  static Fingerprint of(String secret) {
    return new Fingerprint(SHA256.get().digest(secret.getBytes(StandardCharsets.US_ASCII)));
  }

  /** As it stands in the database: 64 hexadecimal digits. */
  static Fingerprint parse(String hex) {
    return new Fingerprint(HEX.parseHex(hex));
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }

  boolean matches(Fingerprint other) {
    return MessageDigest.isEqual(hash, other.hash);
  }

  /** For the database, and nobody else. */
  String hex() {
    return HEX.formatHex(hash);
  }

  @Override
  public String toString() {
    return "Fingerprint";
  }
}
