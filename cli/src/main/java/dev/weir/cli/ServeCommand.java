package dev.weir.cli;

import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.ProcessSignal;
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
      "Reads its files again when they change and on SIGHUP. On SIGTERM it is no longer ready and",
      "stops after server.drain; on Ctrl-C it stops when the requests under way have been served.",
      "For example:",
      "  weir serve --config weir.toml --port 8080"
    })
final class ServeCommand implements Callable<Integer> {
  /** As shells say of a program that SIGINT has ended. */
  private static final int INTERRUPTED = 130;

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
              server.drain();
              server.close();
              stopped.countDown();
            },
            "weir-stop");
    Runtime.getRuntime().addShutdownHook(stop);
    stopAtOnceOnInterrupt(server);
    out.println(server.summary());
    out.flush();
    if (stopsWhenReady) {
      server.hurry();
    } else {
      stopped.await();
    }
    return 0;
  }

  /** Somebody who presses Ctrl-C has no load balancer that has to notice first. */
  private static void stopAtOnceOnInterrupt(WeirServer server) {
    try {
      ProcessSignal.handledBy(
          "INT",
          () -> {
            server.hurry();
            Runtime.getRuntime().exit(INTERRUPTED);
          });
    } catch (UnsupportedOperationException missing) {
      // Then it ends as on SIGTERM.
    }
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
