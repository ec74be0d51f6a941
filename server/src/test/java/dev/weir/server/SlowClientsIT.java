package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.weir.testkit.process.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * T73: slow clients, and clients that send requests without end, are disconnected; others do not
 * notice. The service waits for one second instead of ten; that it waits so long with its defaults
 * is shown by {@link SlowClientTimingLongIT}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlowClientsIT {
  private static final ServerTimeouts TIMEOUTS =
      ServerTimeouts.defaults()
          .withSlowCallers(Duration.ofSeconds(1))
          .withDelayedClose(Duration.ofMillis(50));

  /** Only bounds a failure. */
  private static final Duration FAILURE = Duration.ofSeconds(60);

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int ENHANCE_YOUR_CALM = 11;
  private static final byte[] HEALTH =
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private TestServer server;

  @BeforeAll
  void start(@TempDir Path folder) {
    server = new TestServer(folder, "", TIMEOUTS);
    awaitConnection("of the caller", () -> assertThatOthersAreServed());
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** Something on a new connection, which a busy machine may delay until its time is over. */
  @FunctionalInterface
  private interface FirstUse {
    void use() throws Exception;
  }

  private static void awaitConnection(String what, FirstUse first) {
    Await.until(
        "a connection " + what,
        FAILURE,
        () -> {
          try {
            first.use();
            return true;
          } catch (AssertionError disconnected) {
            return false;
          }
        });
  }

  private void assertThatOthersAreServed() {
    assertThat(server.caller.get("/healthz").status()).isEqualTo(200);
  }

  /** Sends a start, then one byte at a time, until the server closes the connection. */
  private void trickle(String start, char more) throws IOException {
    try (Socket socket = started(start)) {
      socket.setSoTimeout(20);
      Await.until(
          "the connection is closed",
          FAILURE,
          () -> {
            boolean isClosed = isClosedAfter(socket, more);
            assertThatOthersAreServed();
            return isClosed;
          });
    }
  }

  private static boolean isClosedAfter(Socket socket, char more) {
    try {
      socket.getOutputStream().write(more);
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException nothingYet) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  @Test
  @DisplayName("T73: a head that trickles in is not waited for")
  void slowHead() throws Exception {
    trickle("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", 'a');
  }

  @Test
  @DisplayName("T73: a body that trickles in is not waited for")
  void slowBody() throws Exception {
    trickle("POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{", ' ');
  }

  private Socket started(String start) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port());
    socket.getOutputStream().write(start.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  @Test
  @DisplayName("T73: a client that starts and does not continue is disconnected wherever it stops")
  void startsThatHaveNoEnd() throws Exception {
    List<String> starts =
        List.of(
            "",
            "GET",
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\n",
            // Lines before a request are not part of it.
            "\r\n\r\n\r\n\r\n",
            "\r\n\r\nGET /healthz HTTP/1.1\r\n",
            "PRI * HTTP/2.0\r\n\r\n",
            PREFACE,
            PREFACE + "\0\0\6",
            PREFACE + "\0\0\6\4\0\0\0\0\0");
    List<Socket> sockets = new ArrayList<>();
    List<Socket> http2 = new ArrayList<>();
    List<KeptConnection> http1 = new ArrayList<>();
    try {
      awaitConnection(
          "over HTTP/2",
          () -> {
            http2.add(0, started(""));
            http2.get(0).getOutputStream().write(Http2Bytes.start());
            ping(http2.get(0));
          });
      awaitConnection(
          "over HTTP/1.1",
          () -> {
            http1.add(0, new KeptConnection(server.server.port()));
            assertThat(http1.get(0).ask(HEALTH).status()).isEqualTo(200);
          });
      for (String start : starts) {
        sockets.add(started(start));
      }
      for (int i = 0; i < starts.size(); i++) {
        sockets.get(i).setSoTimeout((int) FAILURE.toMillis());
        assertThatCode(sockets.get(i).getInputStream()::readAllBytes)
            .as("the one that starts with %s", starts.get(i))
            .doesNotThrowAnyException();
      }
      ping(http2.get(0));
      assertThat(http1.get(0).ask(HEALTH).status()).isEqualTo(200);
    } finally {
      sockets.addAll(http2);
      for (Socket socket : sockets) {
        socket.close();
      }
      for (KeptConnection connection : http1) {
        connection.close();
      }
    }
  }

  private static void ping(Socket socket) throws IOException {
    socket.setSoTimeout((int) FAILURE.toMillis());
    socket.getOutputStream().write(Http2Bytes.ping());
    Http2Bytes.readPong(socket.getInputStream());
  }

  @Test
  @DisplayName("T73: a client that cancels requests faster than they are answered is disconnected")
  void rapidReset() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port())) {
      socket.setSoTimeout((int) FAILURE.toMillis());
      socket.getOutputStream().write(Http2Bytes.cancelledRequests(300));

      assertThat(Http2Bytes.readGoAway(socket.getInputStream())).isEqualTo(ENHANCE_YOUR_CALM);
      assertThatOthersAreServed();
      awaitEnd(socket);
    }
  }

  /** Reads until the server has closed the connection, in whatever way. */
  private static void awaitEnd(Socket socket) throws IOException {
    try {
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (SocketTimeoutException stillOpen) {
      throw stillOpen;
    } catch (SocketException reset) {
      // As well as an orderly end.
    }
  }
}
