package dev.weir.cli;

import dev.weir.policy.config.ConfigException;
import dev.weir.server.ServerOptions;
import dev.weir.server.StartException;
import dev.weir.server.WeirServer;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code weir serve}: runs the service until it is told to stop. */
@Command(
    name = "serve",
    sortOptions = false,
    description = "Run the service: HTTP, forward-auth and Envoy's protocol on one port.",
    footer = {
      "",
      "Reads its files again when they change and on SIGHUP; stops on SIGTERM or Ctrl-C when what",
      "is under way is answered. For example:",
      "  weir serve --config weir.toml --port 8080"
    })
final class ServeCommand implements Callable<Integer> {
  @Option(
      names = "--config",
      paramLabel = "<file>",
      description = "The policy and the settings; default: weir.toml here, else the built-in ones.")
  private @Nullable Path config;

  @Option(
      names = "--port",
      paramLabel = "<n>",
      description = "In place of the port in server.listen; 0: any that is free.")
  private @Nullable String portText;

  @Option(
      names = "--envoy-config",
      paramLabel = "<folder>",
      description = "YAML files of envoyproxy/ratelimit, for Envoy.")
  private @Nullable Path envoyConfig;

  @Option(names = "--stop-when-ready", hidden = true, description = "For a start on trial.")
  private boolean stopsWhenReady;

  private final Map<String, String> environment;
  private final PrintWriter out;

  ServeCommand(Map<String, String> environment, PrintWriter out) {
    this.environment = environment;
    this.out = out;
  }

  @Override
  public Integer call() throws InterruptedException {
    ServiceLog.start();
    WeirServer server = start();
    CountDownLatch stopped = new CountDownLatch(1);
    Thread stop =
        new Thread(
            () -> {
              server.close();
              stopped.countDown();
            },
            "weir-stop");
    Runtime.getRuntime().addShutdownHook(stop);
    out.println(server.summary());
    out.flush();
    if (!stopsWhenReady) {
      stopped.await();
    }
    return 0;
  }

  private WeirServer start() {
    try {
      WeirServer server =
          WeirServer.start(new ServerOptions(config, port(), envoyConfig, environment));
      server.reloadOnHangUp();
      return server;
    } catch (ConfigException wrong) {
      throw new MistakesException(wrong.mistakes());
    } catch (StartException wrong) {
      throw new InputException(String.valueOf(wrong.getMessage()));
    }
  }

  private @Nullable Integer port() {
    return portText == null
        ? null
        : InputException.readOption(
            "--port", portText, text -> (int) Numbers.parse(text, 0, 65_535));
  }
}
