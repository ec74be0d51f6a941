package dev.weir.server;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.atomic.LongAdder;

/**
 * A client that makes and cancels requests on one connection of HTTP/2 as fast as it goes. When the
 * server hangs up, it comes back at once.
 */
final class RapidReset implements AutoCloseable {
  /** Five times what the server takes on one connection. */
  private static final int EACH = 1_000;

  private static final int PATIENCE_MILLIS = 20_000;

  private final byte[] requests = Http2Bytes.cancelledRequests(EACH);
  private final LongAdder cancelled = new LongAdder();
  private final LongAdder letGo = new LongAdder();
  private final int port;
  private final Attack attack;

  RapidReset(int port) {
    this.port = port;
    this.attack = Attack.start(this::comeBack);
  }

  /** How many requests it has cancelled. */
  long cancelled() {
    return cancelled.sum();
  }

  /** How often the server has hung up. */
  long letGo() {
    return letGo.sum();
  }

  private void comeBack(Attack attack) throws IOException {
    while (attack.goesOn()) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.setSoTimeout(PATIENCE_MILLIS);
        cancel(socket);
        letGo.increment();
      }
    }
  }

  private void cancel(Socket socket) throws SocketTimeoutException {
    try {
      socket.getOutputStream().write(requests);
      cancelled.add(EACH);
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (SocketTimeoutException stillOpen) {
      throw stillOpen;
    } catch (IOException hungUp) {
      // As well as an orderly end.
    }
  }

  @Override
  public void close() {
    attack.close();
  }
}
