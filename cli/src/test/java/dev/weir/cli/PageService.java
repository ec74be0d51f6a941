package dev.weir.cli;

import dev.weir.server.ServerOptions;
import dev.weir.server.WeirServer;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The service that a page starts with {@code ./weir serve}, and the shell that calls it. It listens
 * on a free port, which stands for the one on the page.
 */
final class PageService implements AutoCloseable {
  private static final String SHOWN = ":8080";

  private final Path folder;
  private @Nullable WeirServer server;

  PageService(Path folder) {
    this.folder = folder;
  }

  /** Starts it; returns what the command prints. */
  String start(List<String> arguments, Map<String, String> variables) {
    if (server != null) {
      server.close();
    }
    Map<String, String> environment = new HashMap<>(variables);
    environment.put("RATE_LIMIT_EVENTS_FILE", folder.resolve("events.jsonl").toString());
    environment.put("RATE_LIMIT_SERVER_DATA", folder.resolve("data").toString());
    // Without a file the one in the working directory would be read: none, where tests run.
    int config = arguments.indexOf("--config");
    Path file = config < 0 ? null : folder.resolve(arguments.get(config + 1));
    WeirServer started = WeirServer.start(new ServerOptions(file, 0, null, environment));
    server = started;
    return (shown(started.summary()) + "\n").replace(folder + File.separator, "");
  }

  /** The options by which commands for a server find this one; none unless it runs. */
  List<String> options() {
    return server == null ? List.of() : List.of("--url", "http://127.0.0.1:" + server.port());
  }

  /** What was printed, with the port that is on the page. */
  String shown(String printed) {
    return server == null ? printed : printed.replace(":" + server.port(), SHOWN);
  }

  /** What is on the page, with the port that it listens on. */
  String reached(String word) {
    return server == null ? word : word.replace(SHOWN, ":" + server.port());
  }

  /** Runs a command of the shell; returns what it prints. */
  String call(String command) throws IOException, InterruptedException {
    if (server == null) {
      throw new AssertionError("no ./weir serve before: " + command);
    }
    Process process =
        new ProcessBuilder("bash", "-c", reached(command))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (!process.waitFor(30, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("still running: " + command);
    }
    return shown(printed).replace("\r", "");
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
