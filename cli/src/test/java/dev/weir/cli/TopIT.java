package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir top} against a real server with a token. */
class TopIT {
  private static RunningServer server;

  @BeforeAll
  static void start(@TempDir Path folder) {
    server =
        new RunningServer(
            folder,
            """
            [[endpoint]]
            name = "chat"
            paths = ["/chat"]
            limit = "2/h"
            [[rule]]
            name = "tried"
            match = { path = "/chat" }
            limits = ["1/h"]
            mode = "shadow"
            """);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void whatWasDecidedIsShown() {
    for (int i = 0; i < 5; i++) {
      server.isAllowed("/chat", "alice", "192.0.2.1");
    }
    assertThat(server.run("block", "user:bob").code()).isZero();
    server.isAllowed("/chat", "bob", "192.0.2.2");
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              CommandRun run = server.run("top", "--once");
              assertThat(run.err()).isEmpty();
              assertThat(run.out())
                  .startsWith(server.url() + "  ready  counters memory  keys ")
                  .containsPattern("(?m)^  chat +2 +3 +1$")
                  .containsPattern("(?m)^  user:alice +3$")
                  .containsPattern("(?m)^  endpoint:chat +5 +3 +0$")
                  .containsPattern("(?m)^  tried +5 +0 +4$")
                  .containsPattern("(?m)^  allowed/s .*[▁▂▃▄▅▆▇█]");
            });
  }

  @Test
  void withoutTheTokenNothingIsShown() {
    assertThat(CommandRun.of("top", "--once", "--url", server.url()))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "weir top: %s wants a token; give --token or set RATE_LIMIT_SERVER_ADMIN_TOKEN\n"
                    .formatted(server.url())));
  }
}
