package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code check} and {@code explain} with {@code --url}: a real server decides. */
class CheckUrlIT {
  private static final String CONFIG =
      """
      [default]
      limit = "2/h"

      [[tier]]
      name = "free"
      limit = "3/h"

      [[rule]]
      name = "closed"
      priority = 900
      match = { path = "/old/**" }
      action = "block"

      [[rule]]
      name = "office"
      priority = 800
      match = { path = "/api/**", ip = "10.0.0.0/8" }
      action = "allow"

      [[rule]]
      name = "tried"
      match = { path = "/api/**" }
      limits = ["1/h"]
      mode = "shadow"
      """;

  private static final Pattern RETRY = Pattern.compile("retry in (\\d+) s");

  private static Path file;
  private static RunningServer server;

  @BeforeAll
  static void start(@TempDir Path folder) throws Exception {
    server = new RunningServer(folder, CONFIG);
    file = Files.writeString(folder.resolve("same.toml"), CONFIG);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static CommandRun here(String... args) {
    return CommandRun.of(
        Stream.concat(Stream.of(args), Stream.of("--config", file.toString()))
            .toArray(String[]::new));
  }

  /** The two may run some seconds apart, on a busy machine. */
  private static void assertSame(CommandRun one, CommandRun other) {
    assertThat(RETRY.matcher(one.out()).replaceAll("retry in … s"))
        .isEqualTo(RETRY.matcher(other.out()).replaceAll("retry in … s"));
    assertThat(retries(one))
        .zipSatisfy(retries(other), (a, b) -> assertThat(a).isCloseTo(b, within(600)));
    assertThat(one.err()).isEqualTo(other.err());
    assertThat(one.code()).isEqualTo(other.code());
  }

  private static List<Integer> retries(CommandRun run) {
    return RETRY.matcher(run.out()).results().map(m -> Integer.valueOf(m.group(1))).toList();
  }

  @Test
  void countersAreThoseOfTheServer() {
    assertThat(server.run("check", "--path", "/", "--user", "alice", "--repeat", "2").out())
        .isEqualTo("1  allowed    default: 1 of 2 left\n2  allowed    default: 0 of 2 left\n");
    assertThat(server.isAllowed("/", "alice", "192.0.2.1")).isFalse();
    CommandRun third = server.run("check", "--path", "/", "--user", "alice");
    assertThat(third.code()).isEqualTo(1);
    assertThat(third.out())
        .matches(
            "throttled  default: 0 of 2 left, limit_exceeded, retry in (1800|1[2-7]\\d\\d) s\n");
  }

  @Test
  void linesAreThoseOfALocalPolicy() {
    for (List<String> request :
        List.of(
            List.of("--path", "/api/v1", "--user", "ann", "--tier", "free", "--repeat", "4"),
            List.of("--path", "/old/a", "--user", "ann"),
            List.of("--path", "/api/v1", "--ip", "10.1.2.4"),
            List.of("--path", "/", "--ip", "::1", "--cost", "3"),
            List.of("--path", "/", "--method", "POST", "--header", "X-Client=mobile"))) {
      String[] args = Stream.concat(Stream.of("check"), request.stream()).toArray(String[]::new);
      assertSame(server.run(args), here(args));
    }
  }

  @Test
  void explanationsAreThoseOfALocalPolicy() {
    for (List<String> request :
        List.of(
            List.of("--path", "/api/v1", "--user", "amy", "--tier", "free"),
            List.of("--path", "/api/v1", "--user", "amy", "--all"),
            List.of("--path", "/old/a", "--user", "amy", "--repeat", "2"),
            List.of("--path", "/api/v1", "--ip", "10.1.2.5", "--all"),
            List.of("--path", "/", "--ip", "192.0.2.1", "--cost", "3"))) {
      String[] args = Stream.concat(Stream.of("explain"), request.stream()).toArray(String[]::new);
      assertSame(server.run(args), here(args));
    }
  }

  @Test
  void aBlockOfTheServerIsExplained() {
    assertThat(server.run("block", "user:bea").code()).isZero();
    CommandRun run = server.run("explain", "--path", "/", "--user", "bea");
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out())
        .isEqualTo(
            """
            GET / by user:bea, endpoint *

              no match   tier:free: tier must be free, got none
              not asked  default: decided before the rules: blocked_client

            So it is blocked: the client is blocked.
            """);
  }

  @Test
  void jsonIsOneObjectForEachDecision() throws Exception {
    CommandRun run =
        server.run("check", "--path", "/", "--user", "cleo", "--repeat", "3", "--json");
    assertThat(run.code()).isEqualTo(1);
    List<String> lines = run.out().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(2)).startsWith("{\"allowed\": false, \"decision\": \"throttled\"");
    for (String line : lines) {
      assertThat(Json.parse(line.getBytes(StandardCharsets.UTF_8)))
          .isInstanceOf(Json.Members.class);
    }
    assertThat(server.run("explain", "--path", "/", "--user", "bill", "--json").out())
        .hasLineCount(1)
        .contains("\"rules\": [{\"rule\": \"closed\"");
  }

  @Test
  void whatTheServerDoesNotTakeIsOneLine() {
    assertThat(server.run("check", "--path", "no-slash", "--ip", "x").err())
        .hasLineCount(1)
        .startsWith("weir check: ");
    assertThat(CommandRun.of("explain", "--path", "/", "--url", server.url()).err())
        .isEqualTo(
            "weir explain: %s wants a token; give --token or set RATE_LIMIT_SERVER_ADMIN_TOKEN\n"
                .formatted(server.url()));
    assertThat(
            CommandRun.of(Map.of(), "check", "--path", "/", "--url", server.url(), "--token", "a b")
                .err())
        .startsWith("weir check: the admin token must be visible characters of ASCII");
  }

  @Test
  void optionsThatDoNotGoTogetherAreWrongUsage() {
    CommandRun both = server.run("check", "--path", "/", "--config", file.toString());
    assertThat(both.code()).isEqualTo(2);
    assertThat(both.err())
        .isEqualTo(
            "weir check: --config and --url cannot be given both: a server has its own; see weir"
                + " check --help\n");
    CommandRun alone = CommandRun.of("check", "--path", "/", "--token", "t");
    assertThat(alone.code()).isEqualTo(2);
    assertThat(alone.err())
        .isEqualTo("weir check: --token is for a server; give --url; see weir check --help\n");
  }
}
