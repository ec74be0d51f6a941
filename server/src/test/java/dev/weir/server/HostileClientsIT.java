package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.process.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * T73: many hostile clients at once, all of which are disconnected while every request of others is
 * answered. The service waits for one second instead of ten; how much slower others are answered is
 * measured by {@link HostileClientsLongIT}.
 */
class HostileClientsIT {
  private static final ServerTimeouts TIMEOUTS =
      ServerTimeouts.defaults()
          .withSlowCallers(Duration.ofSeconds(1))
          .withDelayedClose(Duration.ofMillis(50));

  /** Only bounds a failure. */
  private static final Duration FAILURE = Duration.ofSeconds(60);

  private static final int SLOW_CONNECTIONS = 60;
  private static final int GOOD_CONNECTIONS = 4;
  private static final int DISCONNECTED_RESETS = 3;

  /** A head and a body, neither of which ever ends. */
  private static final List<String> STARTS =
      List.of(
          "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
          "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n");

  private static final byte[] CHECK =
      KeptConnection.post("/v1/check", "{\"path\": \"/\", \"user\": \"alice\"}");

  @TempDir private Path folder = Path.of("");

  private final List<KeptConnection> good = new ArrayList<>();
  private final List<SocketChannel> slow = new ArrayList<>();

  @Test
  @DisplayName("T73: slow lorises and rapid resets are let go, and every other request is answered")
  void t73() throws Exception {
    try (TestServer server = new TestServer(folder, "", TIMEOUTS)) {
      int port = server.server.port();
      for (int i = 0; i < GOOD_CONNECTIONS; i++) {
        Await.until("a connection in use", FAILURE, () -> good.add(used(port)));
      }
      for (int i = 0; i < SLOW_CONNECTIONS; i++) {
        slow.add(open(port, STARTS.get(i % STARTS.size())));
      }
      try (RapidReset reset = new RapidReset(port)) {
        Await.until(
            "all hostile clients are disconnected",
            FAILURE,
            () -> {
              assertThatOthersAreServed();
              closeDisconnected();
              return slow.isEmpty() && reset.letGo() >= DISCONNECTED_RESETS;
            });
        assertThatOthersAreServed();
      }
    } finally {
      for (KeptConnection connection : good) {
        connection.close();
      }
    }
  }

  private static KeptConnection used(int port) throws IOException {
    KeptConnection connection = new KeptConnection(port);
    assertThat(connection.ask(CHECK).status()).isEqualTo(200);
    return connection;
  }

  private static SocketChannel open(int port, String start) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    channel.write(ByteBuffer.wrap(start.getBytes(StandardCharsets.US_ASCII)));
    channel.configureBlocking(false);
    return channel;
  }

  private void assertThatOthersAreServed() throws IOException {
    for (KeptConnection connection : good) {
      assertThat(connection.ask(CHECK).status()).isEqualTo(200);
    }
  }

  /** Sends another byte on each slow connection, and forgets those that the server has closed. */
  private void closeDisconnected() throws IOException {
    for (SocketChannel channel : List.copyOf(slow)) {
      if (!isOpenAfterAByte(channel)) {
        slow.remove(channel);
        channel.close();
      }
    }
  }

  private static boolean isOpenAfterAByte(SocketChannel channel) {
    try {
      channel.write(ByteBuffer.wrap(new byte[] {' '}));
      return channel.read(ByteBuffer.allocate(1_000)) >= 0;
    } catch (IOException reset) {
      return false;
    }
  }
}
