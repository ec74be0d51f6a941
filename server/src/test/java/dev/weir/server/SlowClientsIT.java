package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** T73: callers that take their time, or ask without end, are let go; others do not notice. */
class SlowClientsIT {
  /** Three times the 10 s that a caller has: the machine may be busy. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  private final TestServer server;

  SlowClientsIT(@TempDir Path folder) {
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
  @DisplayName("T73: a body that trickles in is not waited for")
  void slowBody() throws Exception {
    Duration open =
        trickle(
            "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{", ' ');

    System.out.println("slow body: closed after " + open.toMillis() + " ms");
    assertThat(open).isGreaterThan(Duration.ofSeconds(9));
  }

  @Test
  @DisplayName("T73: who cancels requests faster than they are answered is let go")
  void rapidReset() throws Exception {
    int sent = 0;
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.server.port())) {
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.write(PREFACE.getBytes(StandardCharsets.US_ASCII));
      frame(out, 4, 0, 0, new byte[0]);
      byte[] head = head();
      for (int stream = 1; sent < 100_000; stream += 2, sent++) {
        frame(out, 1, 5, stream, head);
        frame(out, 3, 0, stream, new byte[] {0, 0, 0, 8});
        out.flush();
        if (sent % 100 == 0) {
          assertThat(server.caller.get("/healthz").status()).isEqualTo(200);
        }
      }
    } catch (IOException letGo) {
      System.out.println("rapid reset: let go after " + sent + " cancelled requests");
    }
    assertThat(sent).isBetween(200, 99_999);
    assertThat(server.caller.get("/healthz").status()).isEqualTo(200);
  }

  private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
      throws IOException {
    out.writeByte(0);
    out.writeShort(payload.length);
    out.writeByte(type);
    out.writeByte(flags);
    out.writeInt(stream);
    out.write(payload);
  }

  /** GET /healthz by HPACK, with nothing in its table. */
  private static byte[] head() throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.write(0x82);
    head.write(0x86);
    literal(head, 4, "/healthz");
    literal(head, 1, "localhost");
    return head.toByteArray();
  }

  private static void literal(ByteArrayOutputStream head, int name, String value)
      throws IOException {
    head.write(name);
    head.write(value.length());
    head.write(value.getBytes(StandardCharsets.US_ASCII));
  }
}
