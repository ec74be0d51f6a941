package dev.weir.testkit.redis;

import dev.weir.testkit.process.Ports;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A server that speaks the protocol of Redis and answers what a script says: for replies that a
 * real one is hard to bring to, such as {@code LOADING} or {@code MISCONF}. It knows RESP2 only, as
 * Redis 5 did, and answers what a client asks when it connects.
 *
 * <p>The script may be changed while it runs. Safe for use by several threads; the script is called
 * by several threads too.
 */
public final class FakeRedis implements AutoCloseable {

  /** Says what to answer. */
  @FunctionalInterface
  public interface Script {
    /**
     * The raw reply to a command, best made by {@link RespReply}.
     *
     * @param command the name, in the letters that the client sent, and the arguments
     * @return the reply, or null for the usual one
     */
    @Nullable String reply(List<String> command);
  }

  private final ServerSocket listener;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final List<List<String>> commands = new CopyOnWriteArrayList<>();
  private final AtomicLong connections = new AtomicLong();
  private volatile Script script;
  private volatile @Nullable String refusal;

  private FakeRedis(ServerSocket listener, Script script) {
    this.listener = listener;
    this.script = script;
  }

  /** Starts one on a free port of the loopback address. */
  public static FakeRedis start(Script script) {
    try {
      FakeRedis fake = new FakeRedis(Ports.listen(Ports.free()), script);
      DaemonThreads.start("fake-redis", fake::accept);
      return fake;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Answers by this script from now on. */
  public void script(Script newScript) {
    script = newScript;
  }

  /**
   * From now on sends this reply to each new connection and closes it, as Redis does with {@code
   * ERR max number of clients reached}.
   */
  public void refuseConnections(String reply) {
    refusal = reply;
  }

  /** Takes connections again. */
  public void acceptConnections() {
    refusal = null;
  }

  /** The loopback address, as digits. */
  public String host() {
    return Ports.HOST;
  }

  /** The port it listens on. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Such as {@code redis://127.0.0.1:12345}. */
  public String uri() {
    return "redis://%s:%d".formatted(host(), port());
  }

  /** The commands so far, of all connections, the answered by the script and the others. */
  public List<List<String>> commands() {
    return List.copyOf(commands);
  }

  /** How many connections came so far, the refused ones included. */
  public long connections() {
    return connections.get();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        connections.incrementAndGet();
        open.add(socket);
        DaemonThreads.start("fake-redis-connection", () -> serve(socket));
      } catch (IOException e) {
        // Closed, or the client has gone already.
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      OutputStream out = socket.getOutputStream();
      @Nullable String refused = refusal;
      if (refused != null) {
        out.write(refused.getBytes(StandardCharsets.UTF_8));
        socket.shutdownOutput();
        // Were input left unread, the close would be a reset, which can overtake the reply.
        socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        return;
      }
      RespReader in = new RespReader(socket.getInputStream(), StandardCharsets.UTF_8);
      while (in.read() instanceof List<?> values) {
        List<String> command = values.stream().map(String::valueOf).toList();
        commands.add(command);
        out.write(answer(command).getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      // The client has gone.
    } finally {
      open.remove(socket);
    }
  }

  private String answer(List<String> command) {
    @Nullable String reply = script.reply(command);
    return reply != null ? reply : usual(command);
  }

  private static String usual(List<String> command) {
    return switch (command.get(0).toUpperCase(Locale.ROOT)) {
      case "PING" -> RespReply.simple("PONG");
      case "AUTH", "CLIENT", "QUIT", "READONLY", "SELECT" -> RespReply.OK;
      case "INFO" -> RespReply.bulk("# Server\r\nredis_version:5.0.14\r\n");
      default ->
          RespReply.error(
              "ERR unknown command `%s`, with args beginning with: ".formatted(command.get(0)));
    };
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
