package dev.weir.http;

import dev.weir.policy.config.JwtSource;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
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
    URI url = JwtSource.jwksUrl(text);
    return url == null ? new OnDisk(JwtSource.jwksPath(text)) : new JwksDownload(url);
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
