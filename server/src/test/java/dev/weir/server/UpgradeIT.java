package dev.weir.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.server.envoy.GrpcClient;
import dev.weir.testkit.http.RawHttp;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 is spoken from the first byte on, or not at all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UpgradeIT {
  private static final String WISH =
      """
      Host: localhost
      Connection: Upgrade, HTTP2-Settings
      Upgrade: h2c
      HTTP2-Settings: AAMAAABkAAQAAP__
      """
          .replace("\n", "\r\n");

  private TestServer server;

  @BeforeAll
  void start(@TempDir Path folder) {
    server = new TestServer(folder, "");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private RawHttp.Reply call(String request) {
    return RawHttp.call(server.server.port(), request);
  }

  private static void assertIsHealth(String answer) {
    assertThat(answer)
        .startsWith("HTTP/1.1 200 OK\r\n")
        .doesNotContainIgnoringCase("upgrade")
        .endsWith("\r\n\r\n{\"status\": \"ok\"}");
  }

  @Test
  void theWishIsIgnored() {
    assertIsHealth(call("GET /healthz HTTP/1.1\r\n" + WISH + "\r\n").text());
    assertThat(call("GET /nowhere HTTP/1.1\r\n" + WISH + "\r\n").status()).isEqualTo(404);
    String body = "{\"path\": \"/\", \"user\": \"alice\"}";
    RawHttp.Reply check =
        call(
            "POST /v1/check HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n%s"
                .formatted(WISH, body.length(), body));
    assertThat(check.status()).isEqualTo(200);
    assertThat(check.body()).startsWith("{\"allowed\": true");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Upgrade: H2C",
        "upgrade:h2c",
        "Upgrade: h2c\r\nUpgrade: h2c\r\nConnection: upgrade, http2-settings",
        "Upgrade: h2c\r\nHTTP2-Settings: %%\r\nConnection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c, websocket\r\nConnection: Upgrade",
        "Upgrade: websocket\r\nConnection: Upgrade",
      })
  void soIsAWishThatIsMadeOddly(String fields) {
    assertIsHealth(
        call("GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n\r\n").text());
  }

  @Test
  void soIsAWishThatComesByteByByte() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port())) {
      socket.setSoTimeout(20_000);
      socket.setTcpNoDelay(true);
      OutputStream out = socket.getOutputStream();
      // The first byte could be that of HTTP/2.
      for (byte next : ("PUT /healthz HTTP/1.1\r\n" + WISH + "\r\n").getBytes(US_ASCII)) {
        out.write(next);
        out.flush();
      }

      assertThat(new String(socket.getInputStream().readNBytes(13), US_ASCII))
          .isEqualTo("HTTP/1.1 405 ");
    }
  }

  @Test
  void soIsAWishOnALaterRequest() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port())) {
      socket.setSoTimeout(20_000);
      for (int i = 0; i < 2; i++) {
        socket
            .getOutputStream()
            .write(("GET /nowhere HTTP/1.1\r\n" + WISH + "\r\n").getBytes(US_ASCII));
        assertThat(new String(socket.getInputStream().readNBytes(13), US_ASCII))
            .isEqualTo("HTTP/1.1 404 ");
        socket.getInputStream().skipNBytes(socket.getInputStream().available());
      }
    }
  }

  @Test
  void halfOfThePrefaceIsARequestThatIsNone() {
    RawHttp.Reply reply = call("PRI * HTTP/2.0\r\n\r\nSMALL\r\n\r\n");

    assertThat(reply.text()).contains(" 501 Not Implemented");
  }

  @Test
  void whoSpeaksHttp2FromTheFirstByteIsUnderstood() throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      GrpcClient client = new GrpcClient(vertx, server.server.port());
      GrpcClient.Reply reply =
          client.call("/grpc.health.v1.Health/Check", GrpcClient.frame(new byte[0]));

      assertThat(reply.status()).isZero();
      assertThat(reply.message().getBytes()).as("serving").containsExactly(8, 1);
    } finally {
      vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
  }
}
