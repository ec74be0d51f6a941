package dev.weir.testkit.redis;

import dev.weir.testkit.process.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy on the loopback address that fails the way networks do. Bytes pass at first; each
 * call of {@link #pass}, {@link #hold}, {@link #holdReplies}, {@link #blackHole} or {@link
 * #swallowReplies} holds for all connections, the existing and the new, until the next.
 *
 * <p>A connection that has lost bytes is of no use to anybody: were it to go on, a client would
 * take a later reply for an earlier one. So it stays silent, and is reset as soon as bytes pass
 * again.
 *
 * <p>The kernel on this side confirms what a client sends, in each mode. A client that relies on
 * TCP alone to notice a dead peer (TCP_USER_TIMEOUT) sees nothing wrong.
 *
 * <p>Safe for use by several threads.
 */
public final class FaultyProxy implements AutoCloseable {

  enum Mode {
    PASS,
    HOLD,
    HOLD_REPLIES,
    BLACK_HOLE,
    SWALLOW_REPLIES
  }

  enum Fate {
    PASSED,
    LOST,
    GONE
  }

  private final String targetHost;
  private final int targetPort;
  private final int port;
  // All of the following is guarded by this.
  private final Set<ProxiedConnection> open = new HashSet<>();
  private @Nullable ServerSocket listener;
  private @Nullable Thread acceptor;
  private Mode mode = Mode.PASS;
  private boolean closed;

  private final AtomicLong connections = new AtomicLong();
  final AtomicLong toServer = new AtomicLong();
  final AtomicLong toClient = new AtomicLong();
  final AtomicLong swallowed = new AtomicLong();
  private final AtomicLong held = new AtomicLong();

  private FaultyProxy(String targetHost, int targetPort) {
    this.targetHost = targetHost;
    this.targetPort = targetPort;
    this.port = Ports.free();
  }

  /** Starts a proxy before a Redis server. */
  public static FaultyProxy before(RedisServer server) {
    return before(server.host(), server.port());
  }

  /** Starts a proxy before any server. */
  public static FaultyProxy before(String host, int port) {
    FaultyProxy proxy = new FaultyProxy(host, port);
    proxy.listen();
    return proxy;
  }

  /** The loopback address, as digits. */
  public String host() {
    return Ports.HOST;
  }

  /** The port for clients. */
  public int port() {
    return port;
  }

  /** Such as {@code redis://127.0.0.1:12345}, without a password. */
  public String uri() {
    return "redis://%s:%d".formatted(host(), port());
  }

  /** Passes everything, and accepts connections again. */
  public synchronized void pass() {
    change(Mode.PASS);
    List.copyOf(open).stream().filter(ProxiedConnection::isBroken).forEach(this::reset);
    listen();
  }

  /**
   * Keeps everything back, in both directions, until bytes pass again; then it arrives late, as
   * after a network that was gone for a while.
   */
  public void hold() {
    change(Mode.HOLD);
  }

  /**
   * Accepts connections, takes everything in both directions, and says nothing, not even the end.
   */
  public void blackHole() {
    change(Mode.BLACK_HOLE);
  }

  /**
   * Passes requests and keeps each reply back: with {@link #pass} it arrives late, with {@link
   * #swallowReplies} too, and only what comes after that is lost.
   */
  public void holdReplies() {
    change(Mode.HOLD_REPLIES);
  }

  /** Passes requests and loses each reply: the server has acted, and the client does not know. */
  public void swallowReplies() {
    change(Mode.SWALLOW_REPLIES);
  }

  /** Refuses new connections; those there are stay. Until {@link #pass}. */
  public void refuse() {
    @Nullable Thread waitedFor = stopListening();
    try {
      // The kernel accepts connections for as long as a thread waits for them, closed or not.
      if (waitedFor != null) {
        waitedFor.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while closing the port", e);
    }
  }

  private synchronized @Nullable Thread stopListening() {
    if (listener == null) {
      return null;
    }
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    listener = null;
    return acceptor;
  }

  /** Resets (RST) all connections there are, on both sides; new ones are taken as before. */
  public synchronized void cut() {
    List.copyOf(open).forEach(this::reset);
  }

  /** How many connections were accepted so far. */
  public long connections() {
    return connections.get();
  }

  /** How many connections are open now. */
  public synchronized int openConnections() {
    return open.size();
  }

  /** How many bytes went on to the server so far. */
  public long bytesToServer() {
    return toServer.get();
  }

  /** How many bytes went on to clients so far. */
  public long bytesToClient() {
    return toClient.get();
  }

  /** How many bytes of replies were held back so far by {@link #holdReplies}. */
  public long bytesHeld() {
    return held.get();
  }

  /** How many bytes were lost so far, in both directions. */
  public long bytesSwallowed() {
    return swallowed.get();
  }

  synchronized Mode mode() {
    return mode;
  }

  /** Whether replies that come now are held back; notes how many bytes that are. */
  synchronized boolean holdsReplies(int bytes) {
    boolean isHeld = mode == Mode.HOLD_REPLIES;
    held.addAndGet(isHeld ? bytes : 0);
    return isHeld;
  }

  /** What becomes of the next bytes of a connection; waits while they are held. */
  synchronized Fate fate(ProxiedConnection connection, boolean reply, boolean isHeld)
      throws InterruptedException {
    while ((mode == Mode.HOLD || (reply && mode == Mode.HOLD_REPLIES)) && !connection.isGone()) {
      wait();
    }
    if (connection.isGone()) {
      return Fate.GONE;
    }
    if (isHeld && mode == Mode.SWALLOW_REPLIES && !connection.isBroken()) {
      return Fate.PASSED;
    }
    return connection.loses(reply, mode) ? Fate.LOST : Fate.PASSED;
  }

  synchronized void reset(ProxiedConnection connection) {
    remove(connection, true);
  }

  synchronized void end(ProxiedConnection connection) {
    remove(connection, false);
  }

  private synchronized void remove(ProxiedConnection connection, boolean reset) {
    if (open.remove(connection)) {
      connection.end(reset);
      notifyAll();
    }
  }

  private synchronized void change(Mode newMode) {
    mode = newMode;
    notifyAll();
  }

  private synchronized void listen() {
    if (listener != null || closed) {
      return;
    }
    try {
      ServerSocket socket = Ports.listen(port);
      listener = socket;
      acceptor = DaemonThreads.start("proxy", () -> accept(socket));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        begin(socket, socket.accept());
      } catch (IOException e) {
        // Closed, or the client has gone already.
      }
    }
  }

  private void begin(ServerSocket acceptedBy, Socket client) {
    ProxiedConnection connection = new ProxiedConnection(this, client);
    synchronized (this) {
      if (listener != acceptedBy) {
        connection.end(true);
        return;
      }
      connections.incrementAndGet();
      open.add(connection);
    }
    DaemonThreads.start("proxy-connect", () -> connection.run(targetHost, targetPort));
  }

  /** Stops listening and resets all connections. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    refuse();
    cut();
  }
}
