package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code block} and {@code unblock} against a real server with a token. */
class BlockCommandsIT {
  private static RunningServer server;

  @BeforeAll
  static void start(@TempDir Path folder) {
    server = new RunningServer(folder, "[default]\nlimit = 1000\n");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static CommandRun run(String... args) {
    return server.run(args);
  }

  private static boolean isAllowed(String user, String ip) {
    return server.isAllowed("/", user, ip);
  }

  @Test
  void aClientIsBlockedUntilItIsUnblocked() {
    assertThat(run("block", "user:alice", "--reason", "pays \"nothing\""))
        .isEqualTo(new CommandRun(0, "blocked user:alice until it is unblocked\n", ""));
    assertThat(isAllowed("alice", "192.0.2.1")).isFalse();
    assertThat(isAllowed("bob", "192.0.2.1")).isTrue();

    assertThat(run("unblock", "user:alice"))
        .isEqualTo(new CommandRun(0, "unblocked user:alice\n", ""));
    assertThat(isAllowed("alice", "192.0.2.1")).isTrue();
  }

  @Test
  void aRangeIsBlockedForAWhile() {
    assertThat(run("block", "ip:198.51.100.0/24", "--until", "2999-01-31 12:00:00Z").out())
        .isEqualTo("blocked ip:198.51.100.0/24 until 2999-01-31 12:00:00Z\n");
    assertThat(isAllowed("alice", "198.51.100.9")).isFalse();
    assertThat(run("unblock", "ip:198.51.100.0/24").code()).isZero();
    assertThat(isAllowed("alice", "198.51.100.9")).isTrue();

    assertThat(run("block", "ip:198.51.100.0/24", "--for", "1h").out())
        .matches("blocked ip:198\\.51\\.100\\.0/24 until 2\\d{3}-\\d\\d-\\d\\d [0-9:]{8}Z\n");
    assertThat(isAllowed("alice", "198.51.100.9")).isFalse();
  }

  @Test
  void theJsonOfTheServerIsPrinted() {
    assertThat(run("block", "key:6b1f", "--reason", "found on a page", "--json").out())
        .startsWith("{\"client\": \"key:6b1f\", \"reason\": \"found on a page\", \"until\": null, ")
        .hasLineCount(1);
    assertThat(run("unblock", "key:6b1f", "--json").out())
        .isEqualTo("{\"client\": \"key:6b1f\", \"removed\": true}\n");
  }

  @Test
  void whatTheServerRefusesIsOneLine() {
    assertThat(run("block", "alice"))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "weir block: client must be user:<id>, key:<id> or ip:<address or range>, got"
                    + " \"alice\"\n"));
    assertThat(run("unblock", "user:alice"))
        .isEqualTo(new CommandRun(1, "", "weir unblock: there is no block \"user:alice\"\n"));
  }

  @Test
  void withoutTheTokenNothingIsDone() {
    assertThat(CommandRun.of("block", "user:carol", "--url", server.url()))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "weir block: %s wants a token; give --token or set RATE_LIMIT_SERVER_ADMIN_TOKEN\n"
                    .formatted(server.url())));
    assertThat(run("block", "user:carol", "--token", "hunter2"))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "weir block: %s does not take the token that was shown\n".formatted(server.url())));
    assertThat(isAllowed("carol", "192.0.2.1")).isTrue();
  }
}
