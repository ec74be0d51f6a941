package dev.weir.server.proxy;

import dev.weir.server.PreparedData;
import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Weir itself, for the proxies to ask: five requests a minute, and some that never pass. */
final class Weir implements AutoCloseable {
  /** Tokens that are signed with it are believed. */
  static final String SECRET = "a secret for the tests of proxies";

  /** The proxy in front of the one that asks, in tests that have such a one. */
  static final String FRONT = "127.0.0.20";

  // Windows that start with the first request: no test can fall into two of them.
  private static final String CONFIG =
      """
      [client]
      trusted_proxies = ["127.0.0.1/32", "%s/32"]
      jwt_secret = "%s"

      [events]
      log = []

      [default]
      limit = 5
      window = "60s"
      algorithm = "fixed_window"
      align = "first_request"

      [[rule]]
      name = "closed"
      match = { path = "/closed/**" }
      action = "block"

      [[rule]]
      name = "no_deletes"
      match = { path = "/kept/**", method = "DELETE" }
      action = "block"

      [[rule]]
      name = "banned"
      match = { header.x-api-key = "banned" }
      action = "block"
      """
          .formatted(FRONT, SECRET);

  private final WeirServer server;

  private Weir(WeirServer server) {
    this.server = server;
  }

  /** Starts it on any port; its file lies in the folder. */
  static Weir start(Path folder) {
    return start(folder, 0);
  }

  /** Starts it on that port. */
  static Weir start(Path folder, int port) {
    return start(folder, CONFIG, port, Map.of());
  }

  /** Starts it on any port with another file, and an admin token. */
  static Weir startWith(Path folder, String config, String token) {
    return start(folder, config, 0, Map.of("RATE_LIMIT_SERVER_ADMIN_TOKEN", token));
  }

  private static Map<String, String> withData(Path folder, Map<String, String> environment) {
    Map<String, String> all = new HashMap<>(environment);
    all.put("RATE_LIMIT_SERVER_DATA", PreparedData.in(folder.resolve("data")).toString());
    return all;
  }

  private static Weir start(Path folder, String config, int port, Map<String, String> environment) {
    try {
      Path file = Files.writeString(folder.resolve("weir.toml"), config);
      return new Weir(
          WeirServer.start(new ServerOptions(file, port, null, withData(folder, environment))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
  }
}
