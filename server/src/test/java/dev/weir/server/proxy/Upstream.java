package dev.weir.server.proxy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service behind a proxy: answers everything with 200 and remembers what it saw. */
final class Upstream implements AutoCloseable {
  static final String BODY = "from the service";

  private final Queue<Seen> seen = new ConcurrentLinkedQueue<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;

  /** One request; its body has a character for each byte. */
  record Seen(String method, String target, String body) {}

  private Upstream(HttpServer server) {
    this.server = server;
  }

  static Upstream start() {
    try {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      Upstream upstream = new Upstream(server);
      server.createContext("/", upstream::answer);
      server.setExecutor(upstream.threads);
      server.start();
      return upstream;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body =
          new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
      seen.add(new Seen(exchange.getRequestMethod(), exchange.getRequestURI().toString(), body));
      byte[] answer = BODY.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** What it saw of a target, the path with its query. */
  List<Seen> seen(String target) {
    return seen.stream().filter(each -> each.target.equals(target)).toList();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
