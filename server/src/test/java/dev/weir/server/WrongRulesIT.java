package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.policy.config.ConfigException;
import dev.weir.server.envoy.EnvoyConfigFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service whose rules for Envoy are wrong when it starts. */
class WrongRulesIT {
  private static final String ASK =
      "{\"domain\": \"edge\", \"descriptors\": [{\"entries\": [{\"key\": \"user\", \"value\": \"a\"}]}]}";
  private static final String RULES =
      """
      domain: edge
      descriptors:
        - key: user
          rate_limit: {unit: hour, requests_per_unit: 1}
      """;

  private final Path folder;
  private final Path rules;

  WrongRulesIT(@TempDir Path folder) throws IOException {
    this.folder = folder;
    this.rules = Files.createDirectory(folder.resolve("rules"));
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(rules.resolve(name), text);
  }

  private static void awaitReady(TestServer server) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> server.caller.get("/readyz").status() == 200);
  }

  @Test
  void itStartsSaysWhatIsWrongAndIsReadyWhenTheyAreMended() throws IOException {
    Path file = write("edge.yaml", RULES.replace("hour", "fortnight"));
    String mistake = file + ":4:24: invalid rate limit unit 'fortnight'";
    try (TestServer server = new TestServer(folder, "", rules)) {
      Caller.Reply ready = server.caller.get("/readyz");
      assertThat(ready.status()).isEqualTo(503);
      assertThat(ready.json().get("status").asText()).isEqualTo("not ready");
      assertThat(ready.json().get("policy").get("state").asText()).isEqualTo("current");
      JsonNode envoy = ready.json().get("envoy");
      assertThat(envoy.get("source").asText()).isEqualTo(rules.toString());
      assertThat(envoy.get("state").asText()).isEqualTo("missing");
      assertThat(envoy.get("problem").asText()).isEqualTo(mistake);
      assertThat(server.server.summary())
          .startsWith("weir is on http://127.0.0.1:")
          .contains("; not ready, since the rules for Envoy are wrong; policy ");

      Caller.Reply refused = server.caller.post("/json", ASK);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.json().get("message").asText())
          .isEqualTo("no rate limit configuration loaded");
      assertThat(server.caller.get("/healthz").status()).as("it lives").isEqualTo(200);
      assertThat(server.caller.post("/v1/check", "{\"path\": \"/\", \"user\": \"alice\"}").status())
          .as("what does not need these rules is decided")
          .isEqualTo(200);

      write("edge.yaml", RULES);
      awaitReady(server);
      assertThat(server.caller.get("/readyz").json().get("envoy").get("state").asText())
          .isEqualTo("current");
      assertThat(server.server.summary()).startsWith("weir is ready on ");
      assertThat(server.caller.post("/json", ASK).status()).isEqualTo(200);
      assertThat(server.caller.post("/json", ASK).status()).isEqualTo(429);
    }
  }

  @Test
  void theLogNamesFileAndLine() throws IOException {
    List<String> logged = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord event) {
            logged.add(event.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(EnvoyConfigFolder.class.getName());
    logger.addHandler(handler);
    Path file = write("edge.yaml", "domian: edge\n");
    try (TestServer server = new TestServer(folder, "", rules)) {
      assertThat(logged).hasSize(1);
      assertThat(logged.get(0))
          .startsWith("there are no rules for Envoy until their files are right:\n")
          .contains(file + ":1:1: config error, unknown key 'domian'");
      assertThat(server.caller.get("/readyz").status()).isEqualTo(503);
    } finally {
      logger.removeHandler(handler);
    }
  }

  @Test
  void aWrongChangeLaterLeavesItReady() throws IOException {
    write("edge.yaml", RULES);
    try (TestServer server = new TestServer(folder, "", rules)) {
      write("edge.yaml", "domian: edge\n");
      server.server.reload();
      Caller.Reply ready = server.caller.get("/readyz");

      assertThat(ready.status()).isEqualTo(200);
      assertThat(ready.json().get("envoy").get("state").asText()).isEqualTo("change refused");
      assertThat(ready.json().get("envoy").get("problem").asText()).contains("'domian'");
      assertThat(server.caller.post("/json", ASK).status()).isEqualTo(200);
    }
  }

  @Test
  void theSettingThatMakesThemRightMakesItReady() throws IOException {
    write("a.yaml", RULES);
    write("b.yaml", RULES.replace("user", "tenant"));
    try (TestServer server = new TestServer(folder, "", rules)) {
      assertThat(server.caller.get("/readyz").json().get("envoy").get("problem").asText())
          .contains("duplicate domain 'edge' in config file");
      server.write("[envoy]\nmerge_domains = true\n");

      awaitReady(server);
    }
  }

  @Test
  void withoutAFolderNothingIsSaidOfIt() {
    try (TestServer server = new TestServer(folder, "")) {
      assertThat(server.caller.get("/readyz").json().has("envoy")).isFalse();
    }
  }

  @Test
  void aFolderThatIsMissingIsAMistakeOfWhoNamesIt() {
    Path missing = folder.resolve("missing");
    assertThatThrownBy(() -> new TestServer(folder, "", missing))
        .isInstanceOf(ConfigException.class)
        .hasMessage(missing + ": there is no such folder");
  }
}
