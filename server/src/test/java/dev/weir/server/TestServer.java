package dev.weir.server;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.policy.config.Config;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A server on a free port, with a configuration in a folder of the test and a clock of its own. */
final class TestServer implements AutoCloseable {
  static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  final ManualTime time = TimeSource.manual(START);
  final Path config;
  final WeirServer server;
  final Caller caller;

  TestServer(Path folder, String toml, String... environment) {
    this(folder, toml, null, environment);
  }

  TestServer(Path folder, String toml, @Nullable Path envoyConfig, String... environment) {
    this(folder, toml, envoyConfig, Counters::open, environment);
  }

  TestServer(
      Path folder,
      String toml,
      @Nullable Path envoyConfig,
      BiFunction<Config, TimeSource, Counters> counters,
      String... environment) {
    this(folder, toml, envoyConfig, counters, ServerTimeouts.defaults(), environment);
  }

  /** One that waits for slow callers and for its files as long as a test says. */
  TestServer(Path folder, String toml, ServerTimeouts timeouts) {
    this(folder, toml, null, Counters::open, timeouts);
  }

  private TestServer(
      Path folder,
      String toml,
      @Nullable Path envoyConfig,
      BiFunction<Config, TimeSource, Counters> counters,
      ServerTimeouts timeouts,
      String... environment) {
    this.config = folder.resolve("weir.toml");
    write(toml);
    Map<String, String> variables = new HashMap<>();
    variables.put("RATE_LIMIT_EVENTS_FILE", folder.resolve("events.jsonl").toString());
    variables.put("RATE_LIMIT_SERVER_DATA", PreparedData.in(folder.resolve("data")).toString());
    for (int i = 0; i < environment.length; i += 2) {
      variables.put(environment[i], environment[i + 1]);
    }
    this.server =
        WeirServer.start(
            new ServerOptions(config, 0, envoyConfig, variables), time, counters, timeouts);
    this.caller = new Caller(server.port());
  }

  /** Changes the configuration, which the server does not know yet. */
  void write(String toml) {
    try {
      Path next = Files.writeString(config.resolveSibling("next.toml"), toml);
      Files.move(next, config, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
