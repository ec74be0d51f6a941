package dev.weir.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.server.metrics.Scrape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A server on the real clock, for tests of several or of one that is started again: all that it
 * keeps is in its folder.
 */
final class Instance implements AutoCloseable {
  final WeirServer server;
  final Caller caller;

  private Instance(WeirServer server) {
    this.server = server;
    this.caller = new Caller(server.port());
  }

  /** Starts one in that folder, for the first time or again. */
  static Instance start(Path folder, String toml) {
    try {
      Path config = Files.writeString(Files.createDirectories(folder).resolve("weir.toml"), toml);
      Map<String, String> variables =
          Map.of(
              "RATE_LIMIT_SERVER_DATA", folder.resolve("data").toString(),
              "RATE_LIMIT_EVENTS_FILE", folder.resolve("events.jsonl").toString());
      return new Instance(WeirServer.start(new ServerOptions(config, 0, null, variables)));
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  /** What is decided on a request of that user. */
  String decision(String path, String user) {
    return caller
        .post("/v1/check", "{\"path\": \"%s\", \"user\": \"%s\"}".formatted(path, user))
        .json()
        .get("decision")
        .asText();
  }

  /** The limit that somebody has who shows that key, as a proxy hears it. */
  String limitWithKey(String key) {
    return caller
        .get(
            "/v1/auth",
            "X-Original-URI",
            "/with/key",
            "X-Forwarded-For",
            "203.0.113.7",
            "X-API-Key",
            key)
        .field("x-ratelimit-limit");
  }

  /** A rule of that name and for the path of that name, by which all are blocked. */
  static String rule(String name) {
    return "{\"name\": \"%s\", \"match\": {\"path\": \"/%s\"}, \"action\": \"block\"}"
        .formatted(name, name);
  }

  /** Adds such a rule. */
  Caller.Reply addRule(String name) {
    return caller.post("/v1/admin/rules", rule(name));
  }

  /** Blocks a user. */
  Caller.Reply block(String user) {
    return caller.post("/v1/admin/blocks", "{\"client\": \"user:%s\"}".formatted(user));
  }

  /** Makes a key. */
  NewKey makeKey(String user, String limit) {
    Caller.Reply made =
        caller.post(
            "/v1/admin/keys", "{\"user\": \"%s\", \"limits\": [\"%s\"]}".formatted(user, limit));
    if (made.status() != 201) {
      throw new AssertionError("no key: " + made.body());
    }
    return new NewKey(made.json().get("id").asText(), made.json().get("key").asText());
  }

  /**
   * A key that was made.
   *
   * @param text what its holder shows
   */
  record NewKey(String id, String text) {}

  /** What it says of its database. */
  JsonNode database() {
    return caller.get("/readyz").json().get("database");
  }

  /** One of its metrics. */
  double metric(String name) {
    return new Scrape(caller.get("/metrics").body()).value(name);
  }

  @Override
  public void close() {
    server.close();
  }
}
