package dev.weir.server.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A service on a free port, for a browser to look at, and for programs to ask over HTTP. */
final class WatchedServer implements AutoCloseable {
  static final String ADMIN_TOKEN = "the-admin-token-of-the-browser-tests";
  static final String READ_TOKEN = "the-read-token-of-the-browser-tests";

  /** Limits that are easy to run into, and everything kept. */
  static final String CONFIG =
      """
      default_tier = "free"

      [default]
      limit = "100/m"

      [audit]
      decisions = ["allowed", "throttled", "blocked"]

      [traffic]
      keep = "1h"

      [[tier]]
      name = "free"
      limit = "60/m"
      endpoints = { "/api/reports/**" = 5 }

      [[tier]]
      name = "pro"
      limit = "600/m"

      # A window that starts with the first request: no test can fall into two of them.
      [[endpoint]]
      name = "search"
      paths = ["/api/search"]
      limit = 20
      window = "1h"
      algorithm = "fixed_window"
      align = "first_request"

      [[endpoint]]
      name = "orders"
      paths = ["/api/orders/**"]

      [[rule]]
      name = "no_admin"
      priority = 900
      match = { path = "/admin/**" }
      action = "block"
      """;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Path file;
  private final WeirServer server;

  private WatchedServer(Path file, WeirServer server) {
    this.file = file;
    this.server = server;
  }

  /** Starts one with both tokens. */
  static WatchedServer start(Path folder, String config) {
    return start(
        folder,
        config,
        Map.of(
            "RATE_LIMIT_SERVER_ADMIN_TOKEN", ADMIN_TOKEN,
            "RATE_LIMIT_SERVER_READ_TOKEN", READ_TOKEN));
  }

  /** Starts one that everybody on this machine may look at. */
  static WatchedServer startWithoutTokens(Path folder) {
    return start(folder, CONFIG, Map.of());
  }

  private static WatchedServer start(Path folder, String config, Map<String, String> tokens) {
    Map<String, String> environment = new HashMap<>(tokens);
    environment.put("RATE_LIMIT_SERVER_DATA", folder.resolve("data").toString());
    environment.put("RATE_LIMIT_SERVER_ID", "weir-1");
    environment.put("RATE_LIMIT_EVENTS_FILE", folder.resolve("events.jsonl").toString());
    try {
      Path file = Files.writeString(folder.resolve("weir.toml"), config);
      return new WatchedServer(
          file, WeirServer.start(new ServerOptions(file, 0, null, environment)));
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  /** Puts another text into the file of the configuration, which nobody reads yet. */
  void write(String toml) {
    try {
      Files.writeString(file, toml);
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  /** Where the dashboard is. */
  String url() {
    return "http://127.0.0.1:" + server.port() + "/";
  }

  int port() {
    return server.port();
  }

  /** Asks for a decision as any program would. */
  JsonNode check(String path, String user, String ip) {
    return json(
        send("POST", "v1/check", object().put("path", path).put("user", user).put("ip", ip)));
  }

  /** The decision on such a request. */
  String decision(String path, String user) {
    return check(path, user, "203.0.113.7").get("decision").asText();
  }

  /** What a proxy hears of a request with that API key. */
  HttpResponse<String> withKey(String path, String key) {
    return send(
        request("v1/auth")
            .header("X-Original-URI", path)
            .header("X-Forwarded-For", "203.0.113.7")
            .header("X-API-Key", key));
  }

  /** Something of the admin API. */
  JsonNode get(String path) {
    return json(send(authorized(path)));
  }

  /** A change by the admin API, as a program makes it. */
  JsonNode change(String method, String path, Object body) {
    return json(
        send(authorized(path).method(method, BodyPublishers.ofString(String.valueOf(body)))));
  }

  /** An empty object to be sent. */
  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url() + path)).timeout(Duration.ofSeconds(20));
  }

  private HttpRequest.Builder authorized(String path) {
    return request(path).header("Authorization", "Bearer " + ADMIN_TOKEN);
  }

  private HttpResponse<String> send(String method, String path, Object body) {
    return send(request(path).method(method, BodyPublishers.ofString(String.valueOf(body))));
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new AssertionError(interrupted);
    }
  }

  private static JsonNode json(HttpResponse<String> response) {
    if (response.statusCode() >= 300) {
      throw new AssertionError(response.statusCode() + ": " + response.body());
    }
    try {
      return JSON.readTree(response.body());
    } catch (JsonProcessingException noJson) {
      throw new AssertionError("no JSON: " + response.body(), noJson);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
