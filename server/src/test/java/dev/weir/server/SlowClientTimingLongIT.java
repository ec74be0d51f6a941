package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** T73: how long the service waits for slow clients with its own timeouts. */
@Tag("long")
class SlowClientTimingLongIT {
  /** Three times the 10 s that a caller has. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int ENHANCE_YOUR_CALM = 11;

  private final TestServer server;

  SlowClientTimingLongIT(@TempDir Path folder) {
    this.server = new TestServer(folder, "");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Sends a start, then one byte at a time, until the server hangs up; returns after how long. */
  private Duration trickle(String start, char more) throws Exception {
    long begin = System.nanoTime();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port())) {
      socket.setSoTimeout(100);
      OutputStream out = socket.getOutputStream();
      out.write(start.getBytes(StandardCharsets.ISO_8859_1));
      while (System.nanoTime() - begin < PATIENCE.toNanos()) {
        out.write(more);
        out.flush();
        if (isClosed(socket)) {
          return Duration.ofNanos(System.nanoTime() - begin);
        }
        assertThat(server.caller.get("/healthz").status()).isEqualTo(200);
      }
      throw new AssertionError("still open after " + PATIENCE);
    } catch (IOException reset) {
      return Duration.ofNanos(System.nanoTime() - begin);
    }
  }

  private static boolean isClosed(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException nothingYet) {
      return false;
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  @DisplayName("T73: a head that trickles in is not waited for")
  void slowHead() throws Exception {
    Duration open = trickle("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ", 'a');

    System.out.println("slow head: closed after " + open.toMillis() + " ms");
    assertThat(open).isGreaterThan(Duration.ofSeconds(9));
  }

  private Socket started(String start) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port());
    socket.getOutputStream().write(start.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  @DisplayName("T73: who starts and does not go on is let go, wherever it stops")
  void startsThatHaveNoEnd() throws Exception {
    List<String> starts =
        List.of(
            "",
            "GET",
            "GET /healthz HTTP/1.1\r\nHost: localhost\r\n",
            // Lines before a request are none of it.
            "\r\n\r\n\r\n\r\n",
            "\r\n\r\nGET /healthz HTTP/1.1\r\n",
            "PRI * HTTP/2.0\r\n\r\n",
            PREFACE,
            PREFACE + "\0\0\6",
            PREFACE + "\0\0\6\4\0\0\0\0\0");
    List<Socket> sockets = new ArrayList<>();
    try (Socket good = started(PREFACE + "\0\0\0\4\0\0\0\0\0");
        Socket used = started("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
      for (String start : starts) {
        sockets.add(started(start));
      }
      long begin = System.nanoTime();
      for (int i = 0; i < starts.size(); i++) {
        sockets.get(i).setSoTimeout((int) PATIENCE.toMillis());
        assertThatCode(sockets.get(i).getInputStream()::readAllBytes)
            .as("the one that starts with %s", starts.get(i))
            .doesNotThrowAnyException();
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(PATIENCE);
      assertThat(isOpen(good)).isTrue();
      assertThat(isOpen(used)).isTrue();
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  /** Reads what is there; nothing more, and no end, must come. */
  private static boolean isOpen(Socket socket) throws IOException {
    socket.setSoTimeout(100);
    try {
      socket.getInputStream().readAllBytes();
      return false;
    } catch (SocketTimeoutException open) {
      return true;
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  @DisplayName("T73: a body that trickles in is not waited for")
  void slowBody() throws Exception {
    Duration open =
        trickle(
            "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{", ' ');

    System.out.println("slow body: closed after " + open.toMillis() + " ms");
    assertThat(open).isGreaterThan(Duration.ofSeconds(9));
  }

  @Test
  @DisplayName("T73: who cancels requests faster than they are answered is let go, and has to wait")
  void rapidReset() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port())) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      long begin = System.nanoTime();
      socket.getOutputStream().write(Http2Bytes.cancelledRequests(300));

      assertThat(Http2Bytes.readGoAway(socket.getInputStream())).isEqualTo(ENHANCE_YOUR_CALM);
      long toldNanos = System.nanoTime() - begin;
      assertThat(server.caller.get("/healthz").status()).isEqualTo(200);
      awaitEnd(socket);
      long closedNanos = System.nanoTime() - begin;

      System.out.printf(
          "rapid reset: told after %d ms, closed after %d ms%n",
          toldNanos / 1_000_000, closedNanos / 1_000_000);
      assertThat(closedNanos).isGreaterThan(ServerTimeouts.defaults().delayedClose().toNanos());
    }
  }

  /** Reads until the server has hung up, in whatever way. */
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
