package dev.weir.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks a server over connections of its own, from one thread that never waits for an answer.
 *
 * <p>Either as fast as it goes, with a number of requests in flight; or at times that are set
 * beforehand, whatever the server does. Then the time of a request counts from when it was due: a
 * server that stands still is late for all that should have been asked meanwhile, and a request
 * that waits for a connection waits. What this thread itself is late by counts too.
 */
final class Traffic implements AutoCloseable {

  /** The most requests in flight on one connection, a power of 2. */
  static final int MOST_IN_FLIGHT = 1 << 10;

  private static final int BUFFER_BYTES = 1 << 16;
  private static final long NAP_NANOS = 20_000;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long SEED = 42;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final int clients;
  private final int depth;
  private final Selector selector;
  private final List<Connection> connections = new ArrayList<>();
  private final Queue<Connection> free = new ArrayDeque<>();
  private Tally tally = new Tally(true);
  private int inFlight;

  /**
   * Opens connections.
   *
   * @param depth how many requests may be in flight on each
   */
  Traffic(InetSocketAddress server, ServerCall call, int clients, int connections, int depth)
      throws IOException {
    this.clients = clients;
    this.depth = depth;
    this.selector = Selector.open();
    byte[][] requests = call.requests(clients);
    for (int i = 0; i < connections; i++) {
      this.connections.add(new Connection(server, call.wire(requests)));
    }
    free.addAll(this.connections);
  }

  /** As fast as it goes; answers when those in flight at the end are answered too. */
  Tally asFastAsItGoes(Duration span) throws IOException {
    tally = new Tally(true);
    long end = System.nanoTime() + span.toNanos();
    long now = System.nanoTime();
    do {
      for (Connection next = free.poll(); next != null; next = free.poll()) {
        next.ask(now);
      }
      send();
      selector.select(this::receive, 100);
      now = System.nanoTime();
    } while (now < end);
    finish(end);
    return tally;
  }

  /** So many requests a second, evenly spread. */
  Tally at(double perSecond, Duration span) throws IOException {
    tally = new Tally(true);
    double interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
    long count = Math.round(span.toNanos() / interval);
    long start = System.nanoTime();
    long end = start + span.toNanos();
    for (long asked = 0; asked < count; ) {
      long now = System.nanoTime();
      requireInTime(now, end);
      long due = start + (long) (asked * interval);
      for (; asked < count && due <= now && !free.isEmpty(); asked++) {
        free.remove().ask(due);
        due = start + (long) ((asked + 1) * interval);
      }
      send();
      if (selector.selectNow(this::receive) == 0) {
        LockSupport.parkNanos(NAP_NANOS);
      }
    }
    finish(end);
    return tally;
  }

  private void finish(long end) throws IOException {
    while (inFlight > 0) {
      send();
      requireInTime(System.nanoTime(), end);
      selector.select(this::receive, 100);
    }
  }

  private void requireInTime(long now, long end) {
    if (now - end > PATIENCE_NANOS) {
      throw new IllegalStateException(
          "%d requests are still to be answered, long after the end".formatted(inFlight));
    }
  }

  private void send() throws IOException {
    for (Connection connection : connections) {
      connection.send();
    }
  }

  private void receive(SelectionKey key) {
    ((Connection) key.attachment()).receive();
  }

  @Override
  public void close() throws IOException {
    for (Connection connection : connections) {
      connection.channel.close();
    }
    selector.close();
  }

  /** One connection, with the requests on it. */
  private final class Connection implements Wire.Answers {
    final SocketChannel channel;
    private final Wire wire;
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final long[] dueNanos = new long[MOST_IN_FLIGHT];
    private int asked;
    private int mine;

    Connection(InetSocketAddress server, Wire wire) throws IOException {
      this.wire = wire;
      this.channel = SocketChannel.open(server);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, this);
      wire.open(out);
    }

    /** Is free again afterwards if more may be in flight. */
    void ask(long due) {
      dueNanos[asked & MOST_IN_FLIGHT - 1] = due;
      wire.ask(asked++, random.nextInt(clients), out);
      inFlight++;
      if (++mine < depth) {
        free.add(this);
      }
    }

    /** Goes on until all is sent: it is far less than what the kernel takes. */
    void send() throws IOException {
      if (out.position() > 0) {
        out.flip();
        while (out.hasRemaining()) {
          channel.write(out);
        }
        out.clear();
      }
    }

    void receive() {
      try {
        if (channel.read(in) < 0) {
          throw new IllegalStateException("the server has closed a connection");
        }
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
      in.flip();
      wire.take(in, this, out);
      in.compact();
    }

    @Override
    public void answered(int number, boolean isRight) {
      tally.count(dueNanos[number & MOST_IN_FLIGHT - 1], isRight, null);
      inFlight--;
      if (mine-- == depth) {
        free.add(this);
      }
    }
  }
}
