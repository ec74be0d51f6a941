package dev.weir.bench;

import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The service in a JVM of its own. It prints its port when it answers, and ends when nobody is left
 * who could write to it.
 *
 * <p>Argument: a folder with {@code weir.toml} and, if it is to answer Envoy, {@code envoy/}.
 */
final class WeirService {
  private WeirService() {}

  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Path envoy = folder.resolve(ENVOY_FOLDER);
    try (WeirServer server =
        WeirServer.start(
            new ServerOptions(
                folder.resolve(CONFIG),
                0,
                Files.isDirectory(envoy) ? envoy : null,
                Map.of("RATE_LIMIT_SERVER_DATA", folder.resolve("data").toString())))) {
      System.out.println(server.port());
      while (System.in.read() >= 0) {}
    }
  }

  private static final String CONFIG = "weir.toml";
  private static final String ENVOY_FOLDER = "envoy";

  /** Nobody can use that up, and what cannot be counted is refused: then the figures are bad. */
  private static final String TOML =
      """
      [[endpoint]]
      name = "chat"
      paths = "/api/v1/chat/**"
      limit = "1000000/m"

      [counters]
      failure_mode = "closed"
      """;

  /** On a machine that stands still for a moment nothing shall fail. */
  private static final String TOML_ON_REDIS =
      TOML
          + """
          backend = "redis"

          [redis]
          url = "%s/0"
          command_timeout = "10s"
          """;

  private static final String ENVOY_YAML =
      """
      domain: %s
      descriptors:
        - key: %s
          rate_limit:
            unit: minute
            requests_per_unit: 1000000
      """
          .formatted(ServerCall.ENVOY_DOMAIN, ServerCall.ENVOY_KEY);

  /** Starts a service by that configuration. */
  static ServerProcess start(String toml, Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(CONFIG), toml);
    return ServerProcess.jvm(WeirService.class, folder);
  }

  /** Starts a service. */
  static ServerProcess start(ServerCall call, Path folder, @Nullable String redisUri)
      throws IOException {
    if (call == ServerCall.RLS) {
      Path envoy = Files.createDirectories(folder.resolve(ENVOY_FOLDER));
      Files.writeString(envoy.resolve("bench.yaml"), ENVOY_YAML);
    }
    return start(redisUri == null ? TOML : TOML_ON_REDIS.formatted(redisUri), folder);
  }
}
