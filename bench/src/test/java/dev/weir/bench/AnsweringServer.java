package dev.weir.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/** A server that answers each HTTP request without a body with an empty response. */
final class AnsweringServer implements AutoCloseable {
  private static final byte[] RESPONSE =
      "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  /** Decides what happens to a request, by its number from 0 on. */
  interface Behavior {
    /** Called before the response is sent; the connection is closed if this returns false. */
    boolean beforeResponse(int number);
  }

  private final AtomicInteger requests = new AtomicInteger();
  private final ServerSocket listener;
  private final Behavior behavior;

  AnsweringServer(Behavior behavior) {
    this.behavior = behavior;
    try {
      listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    start(
        () -> {
          while (true) {
            Socket socket = listener.accept();
            start(() -> serve(socket));
          }
        });
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void start(Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (IOException ended) {
                // The test is over.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private void serve(Socket socket) throws IOException {
    BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty()) {
        if (!behavior.beforeResponse(requests.getAndIncrement())) {
          socket.close();
          return;
        }
        socket.getOutputStream().write(RESPONSE);
      }
    }
  }

  /** How many requests have arrived. */
  int requests() {
    return requests.get();
  }

  /** Opens connections to it, with one request in flight on each. */
  Traffic traffic(int connections) throws IOException {
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
    return new Traffic(address, ServerCall.AUTH, 10, connections, 1);
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
