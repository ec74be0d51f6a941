package dev.weir.cli;

import dev.weir.policy.JsonText;
import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A service with traffic of its own, that leaves nothing behind. */
final class Demo implements AutoCloseable {
  private static final String CONFIG = "demo.toml";

  /** What is to be closed, the latest first. */
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  private final WeirServer server;
  private final ServerUrl url;
  private final @Nullable DemoRedis redis;

  /**
   * How it is wished.
   *
   * @param port 0: any that is free
   * @param rate requests a second, about
   * @param seed of all that is random
   * @param isOnRedis whether counters are on a Redis server of its own
   */
  record Wish(int port, int rate, long seed, boolean isOnRedis) {}

  /**
   * Starts it; its traffic begins at once.
   *
   * @param environment where Redis is looked for; no settings are taken from it
   */
  Demo(Wish wish, Map<String, String> environment) {
    try {
      Path folder = opened(ScratchFolder.create("weir-demo-")).path();
      Map<String, String> settings = new HashMap<>();
      settings.put("RATE_LIMIT_SERVER_DATA", folder.resolve("data").toString());
      this.redis = wish.isOnRedis ? opened(DemoRedis.start(folder, environment)) : null;
      if (redis != null) {
        settings.put("RATE_LIMIT_COUNTERS_BACKEND", "redis");
        settings.put("RATE_LIMIT_REDIS_URL", redis.url());
      }
      this.server =
          opened(WeirServer.start(new ServerOptions(config(folder), wish.port, null, settings)));
      this.url = ServerUrl.parse("http://127.0.0.1:" + server.port());
      List<String> keys = populate(new AdminClient(url, ""));
      opened(new DemoTraffic(url, DemoVisitors.all(wish.rate, wish.seed, keys))).start();
    } catch (RuntimeException failure) {
      close();
      throw failure;
    }
  }

  private <T extends AutoCloseable> T opened(T part) {
    parts.push(part);
    return part;
  }

  private static Path config(Path folder) {
    Path file = folder.resolve(CONFIG);
    try (InputStream text =
        Objects.requireNonNull(Demo.class.getResourceAsStream(CONFIG), CONFIG)) {
      Files.copy(text, file);
      return file;
    } catch (IOException failure) {
      throw new InputException(file + " cannot be written: " + failure.getMessage());
    }
  }

  /** What operators would have done before; returns the ids of API keys. */
  private static List<String> populate(AdminClient admin) {
    JsonText block =
        new JsonText()
            .put("client", "user:" + DemoVisitors.BLOCKED_USER)
            .put("reason", "charged back");
    admin.ask(AdminCall.post(AdminPath.of("blocks"), block.toString()));
    JsonText quota = new JsonText().put("tier", DemoUsers.tier(0)).put("monthly", 2_000_000);
    admin.ask(
        AdminCall.put(AdminPath.of("quotas").entry("<user>", DemoUsers.name(0)), quota.toString()));
    return List.of(key(admin, "nightly build", "5/s"), key(admin, "laptop", "60/m burst 20"));
  }

  private static String key(AdminClient admin, String name, String limit) {
    JsonText key =
        new JsonText()
            .put("user", DemoVisitors.KEY_USER)
            .put("name", name)
            .put("tier", "pro")
            .put("limits", List.of(limit));
    return admin.ask(AdminCall.post(AdminPath.of("keys"), key.toString())).object().text("id");
  }

  /** Where it is. */
  ServerUrl url() {
    return url;
  }

  /** One line that says what runs where. */
  String summary() {
    return server.summary();
  }

  /** The Redis server with its counters; null: they are in memory. */
  @Nullable DemoRedis redis() {
    return redis;
  }

  /** Ends all of it, and removes its files. */
  @Override
  public void close() {
    RuntimeException failed = null;
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception failure) {
        failed = new IllegalStateException("not all of the demo could be ended", failure);
      }
    }
    if (failed != null) {
      throw failed;
    }
  }
}
