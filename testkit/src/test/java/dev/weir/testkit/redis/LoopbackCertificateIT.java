package dev.weir.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;

class LoopbackCertificateIT {

  @Test
  void redisSpeaksTlsWithIt() throws IOException, GeneralSecurityException {
    Path folder;
    try (LoopbackCertificate certificate = LoopbackCertificate.create();
        LoopbackCertificate other = LoopbackCertificate.create();
        RedisServer server =
            RedisServer.start(RedisConfig.plain().withTls(certificate).withPassword("secret"))) {
      folder = certificate.key().getParent();
      assertThat(server.tlsUri()).isEqualTo("rediss://:secret@127.0.0.1:" + server.tlsPort());
      try (SSLSocket socket = connect(server, certificate);
          RespClient client = RespClient.over(socket)) {
        client.call("AUTH", "secret");
        assertThat(client.call("PING")).isEqualTo("PONG");
      }
      assertThatThrownBy(() -> connect(server, other).close()).isInstanceOf(SSLException.class);
    }
    assertThat(folder).doesNotExist();
  }

  @Test
  void aServerWithoutOneHasNoTlsPort() {
    try (RedisServer server = RedisServer.start()) {
      assertThatThrownBy(server::tlsPort)
          .hasMessage("the server has no TLS port; start it with RedisConfig.withTls");
    }
  }

  private static SSLSocket connect(RedisServer server, LoopbackCertificate trusted)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry(
        "trusted",
        KeyStore.getInstance(trusted.keyStore().toFile(), trusted.keyStorePassword().toCharArray())
            .getCertificate("loopback"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(server.host(), server.tlsPort());
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }
}
