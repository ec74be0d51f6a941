package dev.weir.testkit.redis;

import dev.weir.testkit.process.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/**
 * A fresh key and a self-signed certificate for {@code localhost} and {@code 127.0.0.1}, as files
 * that are removed on {@link #close} or when the JVM ends. Made by the keytool of the running JDK,
 * and valid from yesterday to tomorrow.
 */
public final class LoopbackCertificate implements AutoCloseable {
  private static final String ALIAS = "loopback";
  private static final String PASSWORD = "loopback";

  private final TemporaryFolder folder = TemporaryFolder.create("certificate");

  private LoopbackCertificate() {}

  /** Makes one, in about a second. */
  public static LoopbackCertificate create() {
    LoopbackCertificate made = new LoopbackCertificate();
    try {
      made.generate();
      made.export();
      return made;
    } catch (IOException e) {
      made.close();
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException | RuntimeException e) {
      made.close();
      throw new IllegalStateException("cannot make a certificate: " + e.getMessage(), e);
    }
  }

  /** The certificate as PEM; also what a client has to trust. */
  public Path certificate() {
    return folder.path().resolve("certificate.pem");
  }

  /** The private key as PEM (PKCS 8), without a password. */
  public Path key() {
    return folder.path().resolve("key.pem");
  }

  /** Key and certificate as PKCS 12, with {@link #keyStorePassword}. */
  public Path keyStore() {
    return folder.path().resolve("keystore.p12");
  }

  /** The password of the key store and of the key in it. */
  public String keyStorePassword() {
    return PASSWORD;
  }

  private void generate() throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-J-XX:TieredStopAtLevel=1",
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-dname",
            "CN=localhost",
            "-ext",
            "san=ip:127.0.0.1,dns:localhost",
            "-startdate",
            "-1d",
            "-validity",
            "2",
            "-storetype",
            "PKCS12",
            "-keystore",
            keyStore().toString(),
            "-storepass",
            PASSWORD);
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.onExit().join().exitValue() != 0) {
      throw new IllegalStateException("keytool: " + output.strip());
    }
  }

  private void export() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(keyStore().toFile(), PASSWORD.toCharArray());
    byte[] certificate = store.getCertificate(ALIAS).getEncoded();
    byte[] key = store.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
    Files.writeString(certificate(), pem("CERTIFICATE", certificate));
    Files.writeString(key(), pem("PRIVATE KEY", key));
  }

  private static String pem(String label, byte[] bytes) {
    String base64 =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(bytes);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, base64, label);
  }

  @Override
  public void close() {
    folder.close();
  }
}
