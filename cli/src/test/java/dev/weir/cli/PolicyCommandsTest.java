package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code init}, {@code validate}, {@code check} and {@code explain}. */
class PolicyCommandsTest {
  @TempDir private Path folder = Path.of("");

  private record Run(int code, String out, String err) {}

  private static Run run(Map<String, String> environment, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        Weir.run(
            args,
            environment,
            new Terminal(80, false, true),
            new PrintWriter(out),
            new PrintWriter(err));
    return new Run(code, out.toString(), err.toString());
  }

  private static Run run(String... args) {
    return run(Map.of(), args);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("test.toml"), text);
  }

  @Test
  void whatInitWritesIsRightAndIsTheBuiltInPolicy() {
    String file = folder.resolve("weir.toml").toString();

    assertThat(run("init", file).out()).startsWith("wrote " + file);
    Run validated = run("validate", file);
    assertThat(validated.code()).isZero();
    assertThat(validated.out())
        .startsWith(file + ": right; 0 rules, 0 tiers, 3 endpoints, default 100/60s; policy ");
  }

  @Test
  void initNeverWritesOverAFileUnasked() throws IOException {
    Path file = file("enabled = false\n");
    Run refused = run("init", file.toString());
    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err())
        .isEqualTo("weir init: " + file + " is there already; add --force to write over it\n");
    assertThat(file).hasContent("enabled = false");

    assertThat(run("init", "--force", file.toString()).code()).isZero();
    assertThat(Files.readString(file)).contains("[[endpoint]]");
  }

  @Test
  void initSaysWhyItCannotWrite() throws IOException {
    Path missing = folder.resolve("missing");

    assertThat(run("init", missing.resolve("weir.toml").toString()).err())
        .isEqualTo(
            "weir init: %s cannot be written: there is no folder %s\n"
                .formatted(missing.resolve("weir.toml"), missing));
    assertThat(run("init", folder.toString()).err())
        .isEqualTo(
            "weir init: %s is a folder; name a file in it, for example %s\n"
                .formatted(folder, folder.resolve("weir.toml")));
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aHeaderWithoutAValueIsWrongUsage() {
    Run run = run("check", "--path", "/", "--header", "broken");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err())
        .isEqualTo(
            "weir check: value for option '--header' (<name>=<value>) should be in KEY=VALUE"
                + " format but was broken; see weir check --help\n");
  }

  @Test
  void whatInitWritesNamesEveryKeyWithItsStandardValue() throws IOException {
    Path file = folder.resolve("weir.toml");
    run("init", file.toString());
    Pattern shown = Pattern.compile("^# (\\[.*|[a-z_0-9]+ = .*)$");
    String everything =
        Files.readAllLines(file).stream()
            .map(line -> shown.matcher(line).matches() ? line.substring(2) : line)
            .collect(Collectors.joining("\n"));
    Path whole = file(everything);

    Run validated = run("validate", whole.toString());
    assertThat(validated.err()).isEmpty();
    assertThat(validated.out()).contains("1 rule, 1 tier, 3 endpoints");
    Set<String> keys = new TreeSet<>();
    everything
        .lines()
        .filter(line -> line.matches("[a-z_0-9]+ = .*"))
        .forEach(line -> keys.add(line.substring(0, line.indexOf(' '))));
    assertThat(keys)
        .contains("jwt_jwks", "trusted_proxy_depth", "violation_threshold", "archive", "sample")
        .hasSizeGreaterThan(50);
  }

  @Test
  void validateNamesEveryMistakeOfEveryFile() throws IOException {
    Path bad = file("enabeld = true\n[default]\nlimit = 0\n");
    Run run = run("validate", bad.toString(), folder.resolve("none.toml").toString());

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo(
            """
            %s:1:1: enabeld: is unknown; did you mean enabled
            %s:3:1: default.limit: must be between 1 and 1000000000000, got 0
            %s: there is no such file
            """
                .formatted(bad, bad, folder.resolve("none.toml")));
  }

  @Test
  void checkRefusesTheEleventhOfTen() throws IOException {
    Path file = file("[[endpoint]]\nname = \"chat\"\npaths = [\"/**/chat\"]\nlimit = 10\n");
    Run run =
        run(
            "check",
            "--config",
            file.toString(),
            "--path",
            "/api/v1/rag/chat",
            "--user",
            "alice",
            "--repeat",
            "11");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out().lines().filter(line -> line.contains("  allowed "))).hasSize(10);
    assertThat(run.out().lines().toList().get(10))
        .isEqualTo("11  throttled  endpoint:chat: 0 of 10 left, limit_exceeded, retry in 6 s");
  }

  @Test
  void checkPrintsJsonAsTheServiceAnswers() throws IOException {
    Path file = file("default_tier = \"free\"\n[[tier]]\nname = \"free\"\nlimit = 3\n");
    Run run =
        run("check", "--config", file.toString(), "--path", "/a", "--ip", "203.0.113.7", "--json");
    JsonNode answer = new ObjectMapper().readTree(run.out());

    assertThat(run.code()).isZero();
    assertThat(answer.get("allowed").asBoolean()).isTrue();
    assertThat(answer.get("decision").asText()).isEqualTo("allowed");
    assertThat(answer.get("client").asText()).isEqualTo("ip:203.0.113.7");
    assertThat(answer.get("tier").asText()).isEqualTo("free");
    assertThat(answer.get("endpoint").asText()).isEqualTo("*");
    assertThat(answer.get("rule").asText()).isEqualTo("tier:free");
    assertThat(answer.get("limit").asInt()).isEqualTo(3);
    assertThat(answer.get("remaining").asInt()).isEqualTo(2);
    assertThat(answer.get("reason").asText()).isEqualTo("within_limits");
    assertThat(answer.get("degraded").asBoolean()).isFalse();
    assertThat(answer.get("headers").get("X-RateLimit-Limit").asText()).isEqualTo("3");
    assertThat(answer.get("limits").get(0).get("window").asInt()).isEqualTo(60);
    assertThat(answer.has("retry_after")).isFalse();
  }

  @Test
  void checkSaysWhatRulesInShadowModeWouldRefuse() throws IOException {
    Path file =
        file(
            """
            [[rule]]
            name = "a"
            limits = ["1/h"]
            mode = "shadow"
            [[rule]]
            name = "b"
            action = "block"
            mode = "shadow"
            """);
    Run run =
        run("check", "--config", file.toString(), "--path", "/", "--ip", "::1", "--repeat", "2");

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            1  allowed    default: 99 of 100 left; shadow: b would refuse
            2  allowed    default: 98 of 100 left; shadow: a and b would refuse
            """);
  }

  @Test
  void checkTakesTheEnvironmentIntoAccount() throws IOException {
    Path file = file("");
    Run run =
        run(
            Map.of("RATE_LIMIT_DEFAULT_LIMIT", "1"),
            "check",
            "--config",
            file.toString(),
            "--path",
            "/",
            "--ip",
            "::1",
            "--repeat",
            "2");

    assertThat(run.out())
        .isEqualTo(
            """
            1  allowed    default: 0 of 1 left
            2  throttled  default: 0 of 1 left, limit_exceeded, retry in 60 s
            """);
  }

  @Test
  void explainSaysWhichConditionFailed() throws IOException {
    Path file =
        file(
            """
            [[rule]]
            name = "office"
            action = "allow"
            match = { ip = "10.0.0.0/8" }
            [[rule]]
            name = "reports"
            limits = ["5/h sliding_log"]
            match = { path = "/reports/**", method = "GET" }
            [[rule]]
            name = "trial"
            limits = ["1/h"]
            mode = "shadow"
            """);
    Run run =
        run("explain", "--config", file.toString(), "--path", "/reports/1", "--ip", "203.0.113.7");

    assertThat(run.out())
        .isEqualTo(
            """
            GET /reports/1 by ip:203.0.113.7, endpoint *

              no match   office: ip must be in 10.0.0.0/8, got 203.0.113.7
              holds      reports: limits each client to 5/h sliding_log
              shadow     trial: is only tried: limits each client to 1/h
              not asked  default: other limits hold, so the default does not

            So it is allowed by reports: 5 of 5 left.
            """);
  }

  @Test
  void explainPrintsJsonAsTheServiceAnswers() throws IOException {
    Path file = file("[default]\nlimit = 3\n");
    String[] args = {
      "explain",
      "--config",
      file.toString(),
      "--path",
      "/",
      "--ip",
      "::1",
      "--repeat",
      "4",
      "--json"
    };
    Run run = run(args);

    assertThat(run.code()).isZero();
    assertThat(run.out().lines()).hasSize(4);
    for (String line : run.out().lines().toList()) {
      JsonNode answer = new ObjectMapper().readTree(line);
      assertThat(answer.get("remaining").asInt()).isEqualTo(3);
      assertThat(answer.get("rules").get(0).get("rule").asText()).isEqualTo("default");
      assertThat(answer.get("rules").get(0).get("matched").asBoolean()).isTrue();
    }
  }

  @Test
  void explainMayBeRepeatedAndConsumesNothing() throws IOException {
    Path file = file("[default]\nlimit = 1\n");
    Run run =
        run("explain", "--config", file.toString(), "--path", "/", "--ip", "::1", "--repeat", "2");

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .isEqualTo(
            """
            GET / by ip:::/64, endpoint *

              holds      default: limits each client to 1/60s

            So it is allowed by default: 1 of 1 left.

            GET / by ip:::/64, endpoint *

              holds      default: limits each client to 1/60s

            So it is allowed by default: 1 of 1 left.
            """);
    assertThat(run("explain", "--path", "/", "--repeat", "0").err())
        .isEqualTo("weir explain: --repeat: must be a number from 1 to 1000000, got \"0\"\n");
  }

  @Test
  void wrongRequestsAreSaidInOneLine() {
    assertThat(run("check", "--path", "/%00").err())
        .isEqualTo("weir check: --path must not contain control characters, got \"/%00\"\n");
    assertThat(run("check", "--path", "/", "--ip", "localhost").err())
        .isEqualTo(
            "weir check: --ip: \"localhost\" is no address, for example 203.0.113.7 or"
                + " 2001:db8::1\n");
    assertThat(run("check", "--path", "/", "--cost", "x").err())
        .isEqualTo("weir check: --cost: must be a number from 0 to 1000000000000, got \"x\"\n");
    assertThat(run("check").code()).isEqualTo(2);
  }
}
