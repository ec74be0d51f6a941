package dev.weir.policy.config;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What {@code jwt_secret} and {@code jwt_jwks} may say, for the file that has them and for whoever
 * verifies tokens by them. Neither of them is repeated in a message, as both may hold a secret.
 */
public final class JwtSource {
  /** By RFC 7518 a secret is at least as long as the hash: the bytes that HS256 wants. */
  public static final int HS256_BYTES = 32;

  /** The bytes that HS384 wants. */
  public static final int HS384_BYTES = 48;

  /** The bytes that HS512 wants. */
  public static final int HS512_BYTES = 64;

  private JwtSource() {}

  /**
   * The bytes of a secret; none if it is empty, which means that there is no secret.
   *
   * @throws IllegalArgumentException if it is too short for every algorithm
   */
  public static byte[] secret(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > 0 && bytes.length < HS256_BYTES) {
      throw new IllegalArgumentException(
          "jwt_secret must be at least %d bytes long for HS256, %d for HS384 and %d for HS512, got %d"
              .formatted(HS256_BYTES, HS384_BYTES, HS512_BYTES, bytes.length));
    }
    return bytes;
  }

  /** Refuses a key set that is neither at a URL nor in a file. */
  static void requireJwks(String text) {
    if (jwksUrl(text) == null) {
      jwksPath(text);
    }
  }

  /**
   * The URL of a key set; null if the text is not one, but the path of a file.
   *
   * @throws IllegalArgumentException if it is a URL that cannot be used
   */
  public static @Nullable URI jwksUrl(String text) {
    int scheme = text.indexOf("://");
    if (scheme < 0) {
      return null;
    }
    String name = text.substring(0, scheme).toLowerCase(Locale.ROOT);
    if (!name.equals("http") && !name.equals("https")) {
      throw new IllegalArgumentException(
          "jwt_jwks must be a file or an http or https URL, got one of scheme " + name);
    }
    try {
      URI uri = URI.create(text);
      if (uri.getHost() != null) {
        return uri;
      }
    } catch (IllegalArgumentException malformed) {
      // Said below, without the text: a URL may hold a password.
    }
    throw new IllegalArgumentException(
        "jwt_jwks must be a URL with a host, for example "
            + "https://login.example.com/.well-known/jwks.json, got another one");
  }

  /**
   * The path of a key set that has no URL.
   *
   * @throws IllegalArgumentException if the text is no path
   */
  public static Path jwksPath(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException malformed) {
      throw new IllegalArgumentException(
          "jwt_jwks must be a file or an http or https URL, got \"" + text + "\"", malformed);
    }
  }
}
