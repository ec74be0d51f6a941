package dev.weir.redis;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Objects;
import javax.net.ssl.TrustManagerFactory;

/**
 * A file with the certificates to trust, PKCS 12 or JKS.
 *
 * @param file where it is
 * @param password what it is protected with
 */
public record TrustStore(Path file, String password) {
  public TrustStore {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(password, "password");
  }

  /**
   * Reads the file.
   *
   * @throws IllegalArgumentException if it cannot be read
   */
  TrustManagerFactory load() {
    try {
      KeyStore certificates = KeyStore.getInstance(file.toFile(), password.toCharArray());
      if (certificates.size() == 0) {
        throw new IllegalArgumentException(
            "trustStore must have a certificate, got none in " + file);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(certificates);
      return factory;
    } catch (IOException | GeneralSecurityException unreadable) {
      throw new IllegalArgumentException(
          "trustStore must be a PKCS 12 or JKS file, and its password right, got %s: %s"
              .formatted(file, unreadable.getMessage()),
          unreadable);
    }
  }

  /** Without the password. */
  @Override
  public String toString() {
    return "TrustStore[file=" + file + "]";
  }
}
