package dev.weir.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/** Where a JWKS is to be had. */
sealed interface JwksLocation permits JwksLocation.OnDisk, JwksDownload {

  /** The largest JWKS that is read, in bytes. */
  int MOST_BYTES = 1_048_576;

  /** Its bytes, at most {@link #MOST_BYTES}; fails by the stage only. */
  CompletableFuture<byte[]> load();

  /** Whether a failure is a mistake that the operator has to mend, and not one that passes. */
  boolean mustLoadAtStart();

  /**
   * The location that the text means.
   *
   * @throws IllegalArgumentException if it is neither a URL nor a path
   */
  static JwksLocation parse(String text) {
    int scheme = text.indexOf("://");
    if (scheme < 0) {
      return new OnDisk(path(text));
    }
    String name = text.substring(0, scheme).toLowerCase(Locale.ROOT);
    if (!name.equals("http") && !name.equals("https")) {
      throw new IllegalArgumentException(
          "jwt_jwks must be a file or an http or https URL, got one of scheme " + name);
    }
    try {
      URI uri = URI.create(text);
      if (uri.getHost() != null) {
        return new JwksDownload(uri);
      }
    } catch (IllegalArgumentException malformed) {
      // Said below, without the text: a URL may hold a password.
    }
    throw new IllegalArgumentException(
        "jwt_jwks must be a URL with a host, for example "
            + "https://login.example.com/.well-known/jwks.json, got another one");
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException malformed) {
      throw new IllegalArgumentException(
          "jwt_jwks must be a file or an http or https URL, got \"" + text + "\"", malformed);
    }
  }

  static IOException tooLarge() {
    return new IOException("a JWKS must be at most " + MOST_BYTES + " bytes long, got more");
  }

  /** In a file, which is read again and again, so that it can be replaced. */
  record OnDisk(Path path) implements JwksLocation {
    @Override
    public CompletableFuture<byte[]> load() {
      try (InputStream in = Files.newInputStream(path)) {
        byte[] bytes = in.readNBytes(MOST_BYTES + 1);
        return bytes.length > MOST_BYTES
            ? CompletableFuture.failedFuture(tooLarge())
            : CompletableFuture.completedFuture(bytes);
      } catch (IOException unreadable) {
        return CompletableFuture.failedFuture(unreadable);
      }
    }

    @Override
    public boolean mustLoadAtStart() {
      return true;
    }

    @Override
    public String toString() {
      return path.toString();
    }
  }
}
