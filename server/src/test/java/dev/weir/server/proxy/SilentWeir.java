package dev.weir.server.proxy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A Weir that hears what it is asked and never answers. */
final class SilentWeir implements AutoCloseable {
  private final AtomicInteger asked = new AtomicInteger();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ServerSocket socket;

  private SilentWeir(ServerSocket socket) {
    this.socket = socket;
  }

  static SilentWeir start() {
    try {
      SilentWeir weir = new SilentWeir(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
      weir.threads.execute(weir::accept);
      return weir;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        threads.execute(() -> listen(connection));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void listen(Socket connection) {
    try (connection;
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith("GET /v1/auth")) {
          asked.incrementAndGet();
        }
      }
    } catch (IOException gone) {
      // Whoever waited has given up.
    }
  }

  int port() {
    return socket.getLocalPort();
  }

  /** How often it was asked about a request. */
  int asked() {
    return asked.get();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      threads.shutdownNow();
    }
  }
}
