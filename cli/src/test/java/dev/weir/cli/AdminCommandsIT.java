package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands for a server against a real one with a database. Each test has users and paths of
 * its own, and leaves no rule behind.
 */
class AdminCommandsIT {
  private static final String CONFIG =
      """
      [default]
      limit = 1000
      window = "60s"

      [[rule]]
      name = "of_the_file"
      match = { path = "/file/**" }
      limits = ["1000/h"]
      """;

  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  @TempDir private static Path folder = Path.of("");
  private static RunningServer server;

  @BeforeAll
  static void start() throws IOException {
    server = start("one");
  }

  private static RunningServer start(String name) throws IOException {
    Path own = Files.createDirectory(folder.resolve(name));
    return new RunningServer(
        own, CONFIG, "RATE_LIMIT_DATABASE_URL", "jdbc:h2:file:" + own.resolve("weir"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** What they match, they match in one test only: for a moment they may still apply. */
  @AfterEach
  void removeRules() {
    for (String rule : List.of("search", "twice")) {
      if (!row(fine(server.run("rules", "list")), rule).isEmpty()) {
        fine(server.run("rules", "remove", rule));
      }
    }
  }

  private static String fine(CommandRun run) {
    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    return run.out();
  }

  private static void assertRefused(CommandRun run, String... parts) {
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).hasLineCount(1).contains(parts);
  }

  private static Json json(CommandRun run) throws IOException {
    return Json.parse(fine(run).getBytes(StandardCharsets.UTF_8));
  }

  /** The cells of the row that starts with that name; none if there is no such row. */
  private static List<String> row(String table, String name) {
    return table
        .lines()
        .map(line -> List.of(line.split("  +", -1)))
        .filter(cells -> cells.get(0).equals(name))
        .findFirst()
        .orElse(List.of());
  }

  private static boolean passes(RunningServer server, String path, String user) {
    return server.isAllowed(path, user, "192.0.2.1");
  }

  @Test
  void aRuleIsAddedHoldsAndIsRemoved() {
    assertThat(row(fine(server.run("rules", "list")), "of_the_file")).contains("file");
    assertThat(passes(server, "/search/a", "alice")).isTrue();

    assertThat(fine(server.run("rules", "add", "search", "--path=/search/**", "--action=block")))
        .isEqualTo("added rule search\n");
    assertThat(row(fine(server.run("rules", "list")), "search"))
        .contains("database", "path /search/**", "block");
    Awaitility.await().atMost(TIMEOUT).until(() -> !passes(server, "/search/a", "alice"));

    assertThat(fine(server.run("rules", "remove", "search"))).isEqualTo("removed rule search\n");
    assertThat(row(fine(server.run("rules", "list")), "search")).isEmpty();
    Awaitility.await().atMost(TIMEOUT).until(() -> passes(server, "/search/a", "alice"));
  }

  @Test
  void aRuleOfAFileLimits() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("rule.toml"),
            """
            [[rule]]
            name = "twice"
            match = { path = ["/twice"], user = "alice" }
            limits = ["2/h fixed_window"]
            response = { message = "no more", retry_after = 30 }
            """);
    fine(server.run("rules", "add", "--file", file.toString()));

    assertThat(row(fine(server.run("rules", "list")), "twice"))
        .contains("2/h", "algorithm fixed_window; response message=no more retry_after=30");
    Awaitility.await().atMost(TIMEOUT).until(() -> !passes(server, "/twice", "alice"));
    assertThat(passes(server, "/twice", "bob")).isTrue();
  }

  @Test
  void dryRunsChangeNothing() {
    String before = fine(server.run("rules", "list", "--json"));

    assertThat(fine(server.run("rules", "add", "search", "--limit=1/s", "--dry-run")))
        .matches("dry run: rule search could be added; the policy would be [0-9a-f]+\n");
    assertThat(fine(server.run("rules", "list", "--json"))).isEqualTo(before);

    fine(server.run("rules", "add", "search", "--path=/dry/**", "--limit=1/s"));
    assertThat(fine(server.run("rules", "remove", "search", "--dry-run")))
        .matches("dry run: rule search could be removed; the policy would be [0-9a-f]+\n");
    assertThat(row(fine(server.run("rules", "list")), "search")).isNotEmpty();
    assertRefused(server.run("rules", "add", "wrong", "--limit=0/s", "--dry-run"), "limits");
  }

  @Test
  void wrongRulesAreRefusedWithTheFieldThatIsWrong() {
    fine(server.run("rules", "add", "search", "--path=/wrong/**", "--limit=1/s"));

    assertRefused(server.run("rules", "add", "search", "--limit=2/s"), "search");
    assertRefused(server.run("rules", "add", "a", "--limit=10/fortnight"), "limits", "fortnight");
    assertRefused(server.run("rules", "add", "a", "--limit=1/s", "--action=stop"), "action");
    assertRefused(server.run("rules", "add", "a", "--limit=1/s", "--ip=300.1.1.1"), "ip");
    assertRefused(server.run("rules", "add", "a"), "limits");
    assertRefused(server.run("rules", "add", "a b", "--limit=1/s"), "name");
    assertRefused(server.run("rules", "remove", "nobody"), "nobody");
    assertRefused(server.run("rules", "remove", "of_the_file"), "of_the_file");
    assertThat(row(fine(server.run("rules", "list")), "of_the_file")).isNotEmpty();
  }

  @Test
  void aKeyIsMadeUsedAndRevoked() {
    CommandRun made =
        server.run(
            "keys", "create", "--user=kate", "--name=laptop", "--limit=7/h", "--expires=90d");
    assertThat(made.code()).isZero();
    assertThat(made.out()).matches("wk_[^_\\s]+_\\S+\n");
    String key = made.out().strip();
    String id =
        key.split("_", -1)[1].replaceFirst("(.{8})(.{4})(.{4})(.{4})(.*)", "$1-$2-$3-$4-$5");
    assertThat(made.err())
        .hasLineCount(1)
        .startsWith("key " + id + " of user kate, name laptop, ")
        .contains("limits 7/h", "expires 2")
        .doesNotContain(key.substring(key.lastIndexOf('_') + 1));

    assertThat(row(fine(server.run("keys", "list")), id)).contains("kate", "laptop", "active");
    assertThat(fine(server.run("keys", "list", "--user", "nobody"))).isEqualTo("no keys\n");
    assertThat(fine(server.run("keys", "list", "--json"))).doesNotContain(key);
    Awaitility.await().atMost(TIMEOUT).until(() -> server.limitWithKey(key).equals("7"));

    assertThat(fine(server.run("keys", "revoke", id)))
        .isEqualTo("revoked key " + id + " of user kate\n");
    assertThat(row(fine(server.run("keys", "list", "--user", "kate")), id)).contains("revoked");
    Awaitility.await().atMost(TIMEOUT).until(() -> !server.limitWithKey(key).equals("7"));
  }

  @Test
  void wrongKeysAreRefused() {
    assertRefused(server.run("keys", "create", "--user=wanda", "--limit=x"), "limits");
    assertRefused(server.run("keys", "create", "--user="), "user");
    assertRefused(
        server.run("keys", "revoke", "6b1f0c52-3a0e-4c5e-9d59-0d6a4f2b7c11"),
        "there is none of that id");
    assertThat(fine(server.run("keys", "list", "--user", "wanda"))).isEqualTo("no keys\n");
  }

  @Test
  void manyKeysAreAllListed() {
    AdminClient client = new AdminClient(ServerUrl.parse(server.url()), RunningServer.TOKEN);
    for (int i = 0; i < 250; i++) {
      client.ask(AdminCall.post(AdminPath.of("keys"), "{\"user\": \"user-" + i + "\"}"));
    }

    assertThat(fine(server.run("keys", "list")).lines().filter(line -> line.contains("  user-")))
        .hasSize(250)
        .doesNotHaveDuplicates();
  }

  @Test
  void aQuotaIsSetAndHolds() throws IOException {
    fine(server.run("quota", "set", "quincy", "--hourly", "3", "--monthly", "100000"));
    fine(server.run("quota", "set", "quincy", "--daily", "5000"));
    Json.Members quota = (Json.Members) json(server.run("quota", "get", "quincy", "--json"));

    assertThat(quota.text("hourly")).isEqualTo("3");
    assertThat(quota.text("daily")).isEqualTo("5000");
    assertThat(quota.text("monthly")).isEqualTo("100000");
    assertThat(fine(server.run("quota", "get", "quincy"))).contains("hourly ", "used today ");
    Awaitility.await().atMost(TIMEOUT).until(() -> !passes(server, "/", "quincy"));
    assertThat(passes(server, "/", "bob")).isTrue();

    fine(server.run("quota", "set", "quincy", "--hourly", "none"));
    Awaitility.await().atMost(TIMEOUT).until(() -> passes(server, "/", "quincy"));
    assertRefused(server.run("quota", "set", "quincy", "--daily", "0"), "daily");
  }

  @Test
  void aBlockOutlastsTheCommandThatMadeIt() {
    fine(server.run("block", "user:blake", "--reason", "bills", "--for", "1h"));
    Awaitility.await().atMost(TIMEOUT).until(() -> !passes(server, "/", "blake"));
    fine(server.run("unblock", "user:blake"));
    Awaitility.await().atMost(TIMEOUT).until(() -> passes(server, "/", "blake"));
  }

  @Test
  void oneServersConfigurationIsImportedByAnother() throws IOException {
    String file = folder.resolve("backup.toml").toString();
    try (RunningServer other = start("other")) {
      fine(server.run("rules", "add", "search", "--path=/exported/**", "--action=block"));
      assertThat(fine(server.run("export", "--output", file))).isEqualTo("wrote " + file + "\n");
      assertThat(fine(server.run("export"))).isEqualTo(Files.readString(Path.of(file)));

      assertThat(fine(other.run("import", file, "--dry-run")))
          .contains("would be created  rule:search\n", "dry run: ");
      assertThat(row(fine(other.run("rules", "list")), "search")).isEmpty();
      assertThat(passes(other, "/exported/a", "alice")).isTrue();

      assertThat(fine(other.run("import", file))).contains("created  rule:search\n");
      assertThat(row(fine(other.run("rules", "list")), "search")).contains("database");
      Awaitility.await().atMost(TIMEOUT).until(() -> !passes(other, "/exported/a", "alice"));
      assertThat(fine(other.run("import", file))).startsWith("nothing changed; the policy is ");
      assertThat(fine(other.run("export"))).isEqualTo(Files.readString(Path.of(file)));
    }
  }

  @Test
  void aWrongFileChangesNothing() throws IOException {
    fine(server.run("rules", "add", "search", "--path=/wrong/**", "--limit=1/s"));
    String before = fine(server.run("export"));
    Path file =
        Files.writeString(
            folder.resolve("wrong.toml"),
            "[[rule]]\nname = \"a\"\nlimits = [\"1/s\"]\n\n[[rule]]\nname = \"b\"\nlimits = 3\n");
    CommandRun run = server.run("import", file.toString());

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("limits");
    assertThat(fine(server.run("export"))).isEqualTo(before);
  }

  @Test
  void theArchiveIsRunAndLookedAt() {
    assertThat(fine(server.run("archive", "--plan"))).isNotEmpty();
    assertThat(fine(server.run("archive", "--plan", "--json"))).isNotEmpty();
  }
}
