package dev.weir.testkit.redis;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Carries the bytes of one direction: a thread reads them as they come, another writes them unless
 * they are held back. With one thread alone, nobody would notice that the sender of bytes that are
 * held back has gone.
 */
final class Pump {
  private static final int CHUNK_BYTES = 16 * 1024;

  /**
   * Bytes, none at all for the end of the stream.
   *
   * @param isHeld whether replies were held back when they came
   */
  private record Chunk(ByteBuffer bytes, boolean isHeld) {}

  private final FaultyProxy proxy;
  private final ProxiedConnection connection;
  private final Socket from;
  private final Socket to;
  private final boolean replies;
  private final BlockingQueue<Chunk> chunks = new LinkedBlockingQueue<>();

  Pump(FaultyProxy proxy, ProxiedConnection connection, Socket from, Socket to, boolean replies) {
    this.proxy = proxy;
    this.connection = connection;
    this.from = from;
    this.to = to;
    this.replies = replies;
  }

  void start() {
    String direction = replies ? "replies" : "requests";
    DaemonThreads.start("proxy-reads-" + direction, this::read);
    DaemonThreads.start("proxy-writes-" + direction, this::write);
  }

  private void read() {
    byte[] buffer = new byte[CHUNK_BYTES];
    try {
      for (int n = from.getInputStream().read(buffer); n >= 0; ) {
        add(Arrays.copyOf(buffer, n));
        n = from.getInputStream().read(buffer);
      }
    } catch (IOException e) {
      // The end as well.
    }
    add(new byte[0]);
  }

  private void add(byte[] bytes) {
    boolean isHeld = replies && proxy.holdsReplies(bytes.length);
    chunks.add(new Chunk(ByteBuffer.wrap(bytes), isHeld));
  }

  private void write() {
    try {
      boolean more = true;
      while (more) {
        Chunk chunk = chunks.take();
        byte[] bytes = chunk.bytes().array();
        more = pass(bytes, chunk.isHeld()) && bytes.length > 0;
      }
    } catch (IOException e) {
      proxy.reset(connection);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Says whether the connection goes on. */
  private boolean pass(byte[] bytes, boolean isHeld) throws IOException, InterruptedException {
    switch (proxy.fate(connection, replies, isHeld)) {
      case GONE -> {
        return false;
      }
      case LOST -> proxy.swallowed.addAndGet(bytes.length);
      case PASSED -> {
        if (bytes.length == 0) {
          proxy.end(connection);
          return false;
        }
        // Counted first, so that whoever has received them finds them counted.
        (replies ? proxy.toClient : proxy.toServer).addAndGet(bytes.length);
        to.getOutputStream().write(bytes);
      }
    }
    return true;
  }
}
