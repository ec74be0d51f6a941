package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code rules} asks a server for, and how it shows the answers. */
class RulesCommandsTest {
  @TempDir private Path folder = Path.of("");

  private final ScriptedServer server = new ScriptedServer();

  @AfterEach
  void stop() {
    server.close();
  }

  private String file(String text) throws IOException {
    return Files.writeString(folder.resolve("rule.toml"), text).toString();
  }

  @Test
  void rulesAreListedInColumns() {
    server.answer(
        200,
        """
        {"items": [{"name": "api_v1", "source": "database", "version": 12, "priority": 600,
          "match": {"path": "/api/v1/**", "method": ["GET", "POST"], "header": {"host": ["a"]}},
          "limits": ["100/s", "1000/h"], "scope": "client", "action": "throttle", "final": true,
          "mode": "shadow", "algorithm": "sliding_window", "enabled": false,
          "response": {"status": 429, "message": "slow down"}},
         {"name": "no_bots", "source": "file", "priority": -5, "match": {}, "scope": "ip",
          "action": "block", "final": false, "mode": "enforce", "enabled": true}], "next": null}
        """);

    assertThat(server.run("rules", "list"))
        .isEqualTo(
            new CommandRun(
                0,
                """
                name     source    version  priority  match                                            limits         scope   action    more
                api_v1   database  12       600       path /api/v1/**; method GET|POST; header host=a  100/s, 1000/h  client  throttle  disabled; final; shadow; algorithm sliding_window; response status=429 message=slow down
                no_bots  file      -        -5        all                                              -              ip      block     -
                """,
                ""));
    assertThat(server.call().request()).isEqualTo("GET /v1/admin/rules");
  }

  @Test
  void aRuleIsMadeOfOptions() {
    server.answer(201, "{\"name\": \"search\", \"version\": 1}");
    CommandRun run =
        server.run(
            "rules",
            "add",
            "search",
            "--path=/v1/search/**",
            "--path=/v2/search",
            "--method=GET",
            "--tier=free",
            "--ip=10.0.0.0/8",
            "--user=al\"ice",
            "--limit=10/s burst 20",
            "--limit=1000/h",
            "--algorithm=sliding_window",
            "--burst=5",
            "--priority=-7",
            "--scope=user",
            "--action=throttle",
            "--final",
            "--shadow",
            "--status=503",
            "--message=slow down");

    assertThat(run).isEqualTo(new CommandRun(0, "added rule search\n", ""));
    assertThat(server.call().request()).isEqualTo("POST /v1/admin/rules");
    assertThat(server.call().field("Content-type")).isEqualTo("application/json");
    assertThat(server.call().body())
        .isEqualTo(
            "{\"name\": \"search\", \"priority\": -7, \"match\": {\"path\": [\"/v1/search/**\","
                + " \"/v2/search\"], \"method\": [\"GET\"], \"tier\": [\"free\"], \"ip\":"
                + " [\"10.0.0.0/8\"], \"user\": [\"al\\\"ice\"]}, \"limits\": [\"10/s burst 20\","
                + " \"1000/h\"], \"algorithm\": \"sliding_window\", \"burst\": 5, \"scope\":"
                + " \"user\", \"action\": \"throttle\", \"final\": true, \"mode\": \"shadow\","
                + " \"response\": {\"status\": 503, \"message\": \"slow down\"}}");
  }

  @Test
  void whatIsNotGivenIsLeftToTheServer() {
    server.answer(201, "{\"name\": \"a\"}");
    server.run("rules", "add", "a");

    assertThat(server.call().body()).isEqualTo("{\"name\": \"a\", \"match\": {}}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[[rule]]\n", "[rule]\n", ""})
  void aRuleMayComeFromAFile(String heading) throws IOException {
    server.answer(201, "{\"name\": \"a\"}");
    String file =
        file(
            heading
                + """
                name = "a"
                priority = 5
                match = { path = ["/a", "/b"], header.x-client = "mob\\u0000ile" }
                limits = ["1/s"]
                final = true
                response = { retry_after = 1.5 }
                """);

    assertThat(server.run("rules", "add", "--file", file).out()).isEqualTo("added rule a\n");
    assertThat(server.call().body())
        .isEqualTo(
            "{\"name\": \"a\", \"priority\": 5, \"match\": {\"path\": [\"/a\", \"/b\"], \"header\":"
                + " {\"x-client\": \"mob\\u0000ile\"}}, \"limits\": [\"1/s\"], \"final\": true,"
                + " \"response\": {\"retry_after\": 1.5}}");
  }

  @Test
  void aFileThatIsNoTomlIsShownWithItsPlaces() throws IOException {
    String file = file("name = \"a\"\nlimits = [\"1/s\"\npriority 5\n");
    CommandRun run = server.run("rules", "add", "--file", file);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err().lines()).allMatch(line -> line.startsWith(file + ":3:"));
    assertThat(server.calls()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[[rule]]\nname = \"a\"\n[[rule]]\nname = \"b\"\n",
        "rule = []\n",
        "rule = 3\n",
        "[[rule]]\nname = \"a\"\n[[tier]]\nname = \"b\"\n"
      })
  void aFileWithMoreThanARuleIsLeftToImport(String text) throws IOException {
    String file = file(text);
    CommandRun run = server.run("rules", "add", "--file", file);

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err())
        .startsWith("weir rules add: " + file + " must hold ")
        .endsWith(" one [[rule]]; weir import takes whole configurations\n")
        .hasLineCount(1);
    assertThat(server.calls()).isEmpty();
  }

  @Test
  void aFileMustBeUtf8() throws IOException {
    Path file = Files.write(folder.resolve("rule.toml"), new byte[] {'a', (byte) 0xff});

    assertThat(server.run("rules", "add", "--file", file.toString()).err())
        .isEqualTo("weir rules add: " + file + " must be valid UTF-8\n");
  }

  @Test
  void aDryRunSaysWhatWouldBe() {
    server
        .answer(200, "{\"name\": \"a\", \"dry_run\": true, \"policy\": \"cc01\"}")
        .answer(200, "{\"name\": \"a\", \"dry_run\": true, \"policy\": \"cc02\"}");

    assertThat(server.run("rules", "add", "a", "--dry-run").out())
        .isEqualTo("dry run: rule a could be added; the policy would be cc01\n");
    assertThat(server.run("rules", "remove", "a", "--dry-run").out())
        .isEqualTo("dry run: rule a could be removed; the policy would be cc02\n");
    assertThat(server.calls())
        .extracting(ScriptedServer.Call::request)
        .containsExactly(
            "POST /v1/admin/rules?dry_run=true", "DELETE /v1/admin/rules/a?dry_run=true");
  }

  @Test
  void aDryRunThatTheServerDoesNotConfirmIsNoSuccess() {
    server.answer(201, "{\"name\": \"a\"}");

    assertThat(server.run("rules", "add", "a", "--dry-run"))
        .isEqualTo(
            new CommandRun(
                1,
                "",
                "weir rules add: the server does not say that it was a dry run; look whether"
                    + " something has changed\n"));
  }

  @Test
  void aRuleIsRemovedByItsName() {
    server.answer(200, "{\"name\": \"a\", \"removed\": true}");

    assertThat(server.run("rules", "remove", "a").out()).isEqualTo("removed rule a\n");
    assertThat(server.call().request()).isEqualTo("DELETE /v1/admin/rules/a");
  }
}
