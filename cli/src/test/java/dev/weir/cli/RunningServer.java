package dev.weir.cli;

import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** A real server on a free port, with an admin token and all of its files in one folder. */
final class RunningServer implements AutoCloseable {
  static final String TOKEN = "a-token-of-this-test";

  private final WeirServer server;
  private final HttpClient client = HttpClient.newHttpClient();

  RunningServer(Path folder, String toml, String... environment) {
    Map<String, String> variables = new HashMap<>();
    variables.put("RATE_LIMIT_SERVER_DATA", folder.resolve("data").toString());
    variables.put("RATE_LIMIT_EVENTS_FILE", folder.resolve("events.jsonl").toString());
    variables.put(AdminClient.TOKEN_VARIABLE, TOKEN);
    for (int i = 0; i < environment.length; i += 2) {
      variables.put(environment[i], environment[i + 1]);
    }
    try {
      Path config = Files.writeString(folder.resolve("weir.toml"), toml);
      this.server = WeirServer.start(new ServerOptions(config, 0, null, variables));
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.port();
  }

  /** Runs a command against this server, with its token in the environment. */
  CommandRun run(String... args) {
    return CommandRun.of(
        Map.of(AdminClient.TOKEN_VARIABLE, TOKEN),
        Stream.concat(Stream.of(args), Stream.of("--url", url())).toArray(String[]::new));
  }

  /** Whether a request may pass. */
  boolean isAllowed(String path, String user, String ip) {
    String body = "{\"path\": \"%s\", \"user\": \"%s\", \"ip\": \"%s\"}".formatted(path, user, ip);
    String answer = send("/v1/check", BodyPublishers.ofString(body)).body();
    return answer.startsWith("{\"allowed\": true");
  }

  /** What holds for a request that comes with an API key: the field of that name. */
  String limitWithKey(String key) {
    return send("/v1/auth", BodyPublishers.noBody(), "X-Original-URI", "/", "X-API-Key", key)
        .headers()
        .firstValue("X-RateLimit-Limit")
        .orElse("");
  }

  private HttpResponse<String> send(String path, HttpRequest.BodyPublisher body, String... fields) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + path)).POST(body);
    if (fields.length > 0) {
      request.headers(fields);
    }
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", interrupted);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
