package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code weir serve} says when it cannot start. */
class ServeCommandTest {
  @TempDir private Path folder = Path.of("");

  private SavedLogSettings logSettings;

  @BeforeEach
  void saveLogSettings() {
    logSettings = new SavedLogSettings();
  }

  @AfterEach
  void restoreLogSettings() {
    logSettings.close();
  }

  private CommandRun serve(String toml, String... arguments) throws IOException {
    Path config = Files.writeString(folder.resolve("weir.toml"), toml);
    return CommandRun.of(
        Map.of("RATE_LIMIT_SERVER_DATA", folder.resolve("data").toString()),
        Stream.concat(Stream.of("serve", "--config", config.toString()), Stream.of(arguments))
            .toArray(String[]::new));
  }

  @Test
  void refusesToBeReachedFromOutsideWithoutAToken() throws Exception {
    assertThat(serve("[server]\nlisten = \"0.0.0.0:0\"\n"))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "weir serve: server.listen: 0.0.0.0:0 is reached from outside, so"
                    + " server.admin_token must be set, best by the variable"
                    + " RATE_LIMIT_SERVER_ADMIN_TOKEN\n"));
  }

  @Test
  void saysThatThePortIsTaken() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CommandRun run = serve("", "--port", Integer.toString(other.getLocalPort()));
      assertThat(run.code()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.err())
          .startsWith(
              "weir serve: server.listen: cannot listen on 127.0.0.1:" + other.getLocalPort())
          .endsWith("--port takes another\n")
          .hasLineCount(1);
    }
  }

  @Test
  void aFolderForEnvoyThatIsMissingIsAMistake() throws Exception {
    CommandRun run = serve("", "--port", "0", "--envoy-config", folder.resolve("rules").toString());
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).endsWith("rules: there is no such folder\n");
  }

  @Test
  void everyMistakeOfAFileIsALine() throws Exception {
    CommandRun run = serve("[default]\nlimit = 0\nwindow = \"x\"\n", "--port", "0");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).hasLineCount(2).contains("weir.toml:2:", "weir.toml:3:");
  }
}
