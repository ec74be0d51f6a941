package dev.weir.server.browser;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.server.PreparedData;
import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import dev.weir.testkit.http.BlockingHttpClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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

  private final BlockingHttpClient client;
  private final Path file;
  private final WeirServer server;

  private WatchedServer(Path file, WeirServer server) {
    this.file = file;
    this.server = server;
    this.client = new BlockingHttpClient(server.port());
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
    environment.put("RATE_LIMIT_SERVER_DATA", PreparedData.in(folder.resolve("data")).toString());
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
        send(
            "POST",
            "v1/check",
            String.valueOf(object().put("path", path).put("user", user).put("ip", ip))));
  }

  /** The decision on such a request. */
  String decision(String path, String user) {
    return check(path, user, "203.0.113.7").get("decision").asText();
  }

  /** What a proxy hears of a request with that API key. */
  BlockingHttpClient.Response withKey(String path, String key) {
    return send(
        "GET",
        "v1/auth",
        null,
        "X-Original-URI",
        path,
        "X-Forwarded-For",
        "203.0.113.7",
        "X-API-Key",
        key);
  }

  /** Something of the admin API. */
  JsonNode get(String path) {
    return json(sendAuthorized("GET", path, null));
  }

  /** A change by the admin API, as a program makes it. */
  JsonNode change(String method, String path, Object body) {
    return json(sendAuthorized(method, path, String.valueOf(body)));
  }

  /** An empty object to be sent. */
  static ObjectNode object() {
    return JSON.createObjectNode();
  }

  private BlockingHttpClient.Response sendAuthorized(
      String method, String path, @Nullable String body) {
    return send(method, path, body, "Authorization", "Bearer " + ADMIN_TOKEN);
  }

  private BlockingHttpClient.Response send(
      String method, String path, @Nullable String body, String... headers) {
    try {
      return client.send(method, "/" + path, body, headers);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static JsonNode json(BlockingHttpClient.Response response) {
    if (response.status() >= 300) {
      throw new AssertionError(response.status() + ": " + response.body());
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
