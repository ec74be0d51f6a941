package dev.weir.server;

import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a server is started.
 *
 * @param config the configuration; null: {@code weir.toml} in the working directory if there is
 *     one, else the built-in one
 * @param port in place of the configured one; 0: any that is free; null: as configured
 * @param envoyConfig a folder with the YAML files of a rate limit service for Envoy; null: as
 *     configured
 * @param environment the environment, which wins over the file
 */
public record ServerOptions(
    @Nullable Path config,
    @Nullable Integer port,
    @Nullable Path envoyConfig,
    Map<String, String> environment) {
  public ServerOptions {
    environment = Map.copyOf(environment);
    if (port != null && (port < 0 || port > 65_535)) {
      throw new IllegalArgumentException("port must be between 0 and 65535, got " + port);
    }
  }

  /** The file that is looked for when none is named. */
  static final Path USUAL_CONFIG = Path.of("weir.toml");
}
