package dev.weir.testkit.redis;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A small client for Redis over one connection: it blocks, speaks RESP2, follows no redirection and
 * never repeats a command. For setting servers up, and for looking at them beside the client under
 * test.
 *
 * <p>For one thread. After an {@link UncheckedIOException}, a timeout included, it is closed.
 */
public final class RespClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final Socket socket;
  private final RespReader in;
  private final Charset charset;

  private RespClient(Socket socket, Charset charset) throws IOException {
    this.socket = socket;
    this.charset = charset;
    this.in = new RespReader(socket.getInputStream(), charset);
  }

  /** Connects, and waits at most 5 s for the connection and for each reply. */
  public static RespClient connect(String host, int port) {
    return connect(host, port, TIMEOUT);
  }

  /** Connects, and waits at most so long for the connection and for each reply. */
  public static RespClient connect(String host, int port, Duration timeout) {
    return connect(host, port, timeout, StandardCharsets.UTF_8);
  }

  /** With ISO-8859-1 any bytes survive the way into a String and back. */
  static RespClient connectForBytes(String host, int port, Duration timeout) {
    return connect(host, port, timeout, StandardCharsets.ISO_8859_1);
  }

  /** Speaks over a connected socket, such as one with TLS, with the timeout that it has. */
  public static RespClient over(Socket socket) {
    try {
      return new RespClient(socket, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RespClient connect(String host, int port, Duration timeout, Charset charset) {
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(Math.toIntExact(timeout.toMillis()));
      socket.connect(new InetSocketAddress(host, port), Math.toIntExact(timeout.toMillis()));
      return new RespClient(socket, charset);
    } catch (IOException e) {
      close(socket);
      throw new UncheckedIOException("%s:%d: %s".formatted(host, port, e.getMessage()), e);
    }
  }

  /**
   * Sends a command and waits for its reply.
   *
   * @return a String, a Long, a List of these, or null
   * @throws RespError if the reply is an error
   * @throws UncheckedIOException if the connection breaks or no reply comes in time
   */
  public @Nullable Object call(String... command) {
    return callAll(List.of(List.of(command))).get(0);
  }

  /** The reply to a command that answers with text. */
  public String text(String... command) {
    return expect(String.class, command);
  }

  /** The reply to a command that answers with an integer. */
  public long number(String... command) {
    return expect(Long.class, command);
  }

  /** The reply to a command that answers with a list. */
  public List<?> list(String... command) {
    return expect(List.class, command);
  }

  private <T> T expect(Class<T> type, String... command) {
    @Nullable Object reply = call(command);
    if (!type.isInstance(reply)) {
      throw new IllegalStateException(
          "%s: the reply must be a %s, got %s".formatted(command[0], type.getSimpleName(), reply));
    }
    return type.cast(reply);
  }

  /**
   * Sends several commands at once and waits for all their replies, in order.
   *
   * @throws RespError with the first reply that is an error, once all have come
   */
  public List<@Nullable Object> callAll(List<List<String>> commands) {
    List<@Nullable Object> replies = new ArrayList<>();
    try {
      send(commands);
      for (int i = 0; i < commands.size(); i++) {
        replies.add(in.read());
      }
    } catch (IOException e) {
      close();
      throw new UncheckedIOException(commands.get(0).get(0) + ": " + e.getMessage(), e);
    }
    for (Object reply : replies) {
      if (reply instanceof RespError error) {
        throw error;
      }
    }
    return replies;
  }

  private void send(List<List<String>> commands) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (List<String> command : commands) {
      bytes.write(("*" + command.size() + "\r\n").getBytes(charset));
      for (String argument : command) {
        byte[] value = argument.getBytes(charset);
        bytes.write(("$" + value.length + "\r\n").getBytes(charset));
        bytes.write(value);
        bytes.write('\r');
        bytes.write('\n');
      }
    }
    socket.getOutputStream().write(bytes.toByteArray());
    socket.getOutputStream().flush();
  }

  @Override
  public void close() {
    close(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // It is of no use any more either way.
    }
  }
}
