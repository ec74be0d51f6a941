package dev.weir.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;

/**
 * A client with many connections, on each of which a request comes in byte by byte and never ends.
 * Where the server hangs up, it comes back at once.
 */
@Tag("long")
final class SlowLoris implements AutoCloseable {
  /** With a byte each millisecond, each connection gets ten in a second. */
  private static final int CONNECTIONS = 100;

  /** A head, the head of a second request, and a body. */
  private static final List<String> STARTS =
      List.of(
          "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
          "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\nX-Slow: ",
          "POST /v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n");

  private final LongAdder bytes = new LongAdder();
  private final LongAdder letGo = new LongAdder();
  private final InetSocketAddress server;
  private final Attack attack;

  SlowLoris(int port) {
    this.server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    this.attack = Attack.start(this::trickle);
  }

  /** How many bytes have trickled out of it. */
  long bytes() {
    return bytes.sum();
  }

  /** How often the server has hung up. */
  long letGo() {
    return letGo.sum();
  }

  private void trickle(Attack attack) throws IOException, InterruptedException {
    List<SocketChannel> channels = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        channels.add(open(i));
      }
      for (int i = 0; attack.goesOn(); i = (i + 1) % CONNECTIONS) {
        if (!isOpenAfterAByte(channels.get(i))) {
          letGo.increment();
          channels.get(i).close();
          channels.set(i, open(i));
        }
        TimeUnit.MILLISECONDS.sleep(1);
      }
    } finally {
      for (SocketChannel channel : channels) {
        channel.close();
      }
    }
  }

  private SocketChannel open(int number) throws IOException {
    SocketChannel channel = SocketChannel.open(server);
    String start = STARTS.get(number % STARTS.size());
    channel.write(ByteBuffer.wrap(start.getBytes(StandardCharsets.US_ASCII)));
    channel.configureBlocking(false);
    return channel;
  }

  private boolean isOpenAfterAByte(SocketChannel channel) {
    try {
      bytes.add(channel.write(ByteBuffer.wrap(new byte[] {' '})));
      return channel.read(ByteBuffer.allocate(1_000)) >= 0;
    } catch (IOException reset) {
      return false;
    }
  }

  @Override
  public void close() {
    attack.close();
  }
}
