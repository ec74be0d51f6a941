package dev.weir.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Answers by a script, as a Weir server does only on bad days, and keeps what it was asked. */
final class ScriptedServer implements AutoCloseable {
  /** What it was asked. */
  record Call(String request, Map<String, String> fields, String body) {
    String field(String name) {
      return fields.getOrDefault(name, "");
    }
  }

  private record Reply(int status, String type, String body) {}

  private final HttpServer server;
  private final Queue<Reply> replies = new ArrayDeque<>();
  private final List<Call> calls = new ArrayList<>();

  ScriptedServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    server.createContext("/", this::handle);
    server.start();
  }

  ScriptedServer answer(int status, String json) {
    return answer(status, "application/json", json);
  }

  ScriptedServer answer(int status, String type, String body) {
    replies.add(new Reply(status, type, body));
    return this;
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Runs a command against this server. */
  CommandRun run(String... args) {
    return CommandRun.of(
        Stream.concat(Stream.of(args), Stream.of("--url", url())).toArray(String[]::new));
  }

  synchronized List<Call> calls() {
    return List.copyOf(calls);
  }

  /** The only call. */
  Call call() {
    if (calls().size() != 1) {
      throw new AssertionError("not one call: " + calls());
    }
    return calls().get(0);
  }

  private synchronized void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Map<String, String> fields =
          exchange.getRequestHeaders().entrySet().stream()
              .collect(
                  Collectors.toMap(
                      Map.Entry::getKey, field -> String.join(", ", field.getValue())));
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      calls.add(
          new Call(exchange.getRequestMethod() + " " + exchange.getRequestURI(), fields, body));
      Reply reply = replies.remove();
      byte[] bytes = reply.body.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", reply.type);
      exchange.sendResponseHeaders(reply.status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
