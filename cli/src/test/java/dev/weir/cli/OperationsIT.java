package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.weir.testkit.process.JavaCommand;
import dev.weir.testkit.process.Ports;
import dev.weir.testkit.process.TemporaryFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Runs the commands of docs/operations.md as they stand there, with real servers, and looks at what
 * comes of them. Where Debian's PostgreSQL or Redis is not installed, theirs are left out.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class OperationsIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path POSTGRESQL = Path.of("/usr/lib/postgresql");
  private static final Path REDIS = Path.of("/usr/bin/redis-server");
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String TOML = "default_tier = \"free\"\n[[tier]]\nname = \"free\"\n";
  private static final MarkdownPage PAGE =
      MarkdownPage.read(ROOT, ROOT.resolve("docs").resolve("operations.md"));
  private static final List<MarkdownPage.Block> RUN = new ArrayList<>();
  private static boolean isAllThere = true;

  private final TemporaryFolder temporary = TemporaryFolder.create("operations");
  private final Path folder = temporary.path();
  private final Path backup = folder.resolve("backup");
  private final Commands commands = new Commands(folder);
  private final int postgresPort = Ports.free();
  private final int redisPort = Ports.free();

  @BeforeEach
  void prepare() throws IOException {
    commands.let("BACKUP", backup.toString());
    commands.let("WEIR_DATA", folder.resolve("data").toString());
    commands.let(AdminClient.TOKEN_VARIABLE, RunningServer.TOKEN);
    commands.mayBeUsedByNobody(Files.createDirectories(backup));
  }

  @AfterEach
  void removeFolder() {
    temporary.close();
  }

  /** A command that is on the page and that nothing runs would be an unproven one. */
  @AfterAll
  static void nothingIsLeftOut() {
    if (isAllThere) {
      assertThat(RUN).containsExactlyInAnyOrderElementsOf(console().toList());
    }
  }

  private static Stream<MarkdownPage.Block> console() {
    return PAGE.blocks().stream().filter(block -> block.language().equals("console"));
  }

  /** Runs the one block that has these words. */
  private String run(String words) throws IOException, InterruptedException {
    List<MarkdownPage.Block> blocks =
        console().filter(block -> block.text().contains(words)).toList();
    assertThat(blocks).as("blocks with %s", words).hasSize(1);
    RUN.add(blocks.get(0));
    return commands.run(blocks.get(0).text());
  }

  @Test
  @Order(1)
  void postgresqlIsBackedUpAndPutBackToAMoment() throws Exception {
    isAllThere &= Files.isDirectory(POSTGRESQL);
    assumeTrue(Files.isDirectory(POSTGRESQL), "PostgreSQL is not installed");
    startPostgres();
    try (RunningServer server = server("weir")) {
      // The service may be ready before its database is open.
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> server.run("rules", "add", "first", "--limit", "1000/s").code() == 0);
      run("archive_command");
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> server.run("rules", "add", "second", "--limit", "1000/s").code() == 0);
      run("pg_basebackup");
      assertThat(server.run("rules", "add", "third", "--limit", "1000/s").code()).isZero();
      String key = server.run("keys", "create", "--user", "alice", "--limit", "77/h").out().strip();
      commands.let("MOMENT", commands.run("psql -Atc 'select clock_timestamp()'").strip());
      assertThat(server.run("rules", "add", "mistake", "--limit", "1/d").code()).isZero();
      assertThat(server.isAllowed("/", "bob", "192.0.2.1")).isTrue();
      assertThat(server.isAllowed("/", "bob", "192.0.2.1")).isFalse();

      run("recovery_target_time");

      // Who was there all the time takes over what the database says now.
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () ->
                  assertThat(server.run("rules", "list").out())
                      .contains("first", "second", "third")
                      .doesNotContain("mistake"));
      Awaitility.await().atMost(PATIENCE).until(() -> server.isAllowed("/", "bob", "192.0.2.1"));
      assertThat(server.limitWithKey(key)).isEqualTo("77");

      run("pg_dump");
      try (RunningServer again = server("weir_again")) {
        assertThat(again.run("rules", "list").out()).contains("first", "second", "third");
        assertThat(again.limitWithKey(key)).isEqualTo("77");
      }
    } finally {
      commands.run("pg_ctl stop --mode=immediate");
    }
  }

  private void startPostgres() throws IOException, InterruptedException {
    Path binaries;
    try (Stream<Path> versions = Files.list(POSTGRESQL)) {
      binaries = versions.max(Path::compareTo).orElseThrow().resolve("bin");
    }
    commands.let("PATH", binaries + ":" + System.getenv("PATH"));
    commands.let("PGDATA", folder.resolve("postgresql").toString());
    commands.let("PGHOST", Ports.HOST);
    commands.let("PGPORT", Integer.toString(postgresPort));
    commands.let("PGUSER", "weir");
    commands.let("PGDATABASE", "weir");
    commands.run(
        """
        initdb --username=weir --auth=trust --encoding=UTF8 --locale=C > /dev/null
        echo "port = $PGPORT" >> "$PGDATA/postgresql.conf"
        echo "unix_socket_directories = ''" >> "$PGDATA/postgresql.conf"
        pg_ctl start --wait --log="$PGDATA.log"
        createdb weir
        """);
  }

  private RunningServer server(String database, String... environment) throws IOException {
    Path own = Files.createDirectories(folder.resolve("of-" + database));
    List<String> all =
        new ArrayList<>(
            List.of(
                "RATE_LIMIT_DATABASE_URL",
                "jdbc:postgresql://%s:%d/%s".formatted(Ports.HOST, postgresPort, database),
                "RATE_LIMIT_DATABASE_USER",
                "weir"));
    all.addAll(List.of(environment));
    RunningServer server = new RunningServer(own, TOML, all.toArray(String[]::new));
    commands.let("WEIR_URL", server.url());
    return server;
  }

  @Test
  @Order(2)
  void countersOnRedisAreBackedUpAndPutBack() throws Exception {
    isAllThere &= Files.isExecutable(REDIS);
    assumeTrue(Files.isExecutable(REDIS), "Redis is not installed");
    commands.let("REDIS_PORT", Integer.toString(redisPort));
    commands.let("REDIS_DATA", Files.createDirectories(folder.resolve("redis")).toString());
    commands.run(
        """
        redis-server --port "$REDIS_PORT" --dir "$REDIS_DATA" --daemonize yes > /dev/null
        until redis-cli -p "$REDIS_PORT" ping > /dev/null; do sleep 0.1; done
        """);
    try (RunningServer server =
        new RunningServer(
            Files.createDirectories(folder.resolve("of-redis")),
            "[default]\nlimit = \"2/d\"\n[counters]\nfailure_mode = \"closed\"\n",
            "RATE_LIMIT_COUNTERS_BACKEND",
            "redis",
            "RATE_LIMIT_REDIS_COMMAND_TIMEOUT",
            "10s",
            "RATE_LIMIT_REDIS_URL",
            "redis://127.0.0.1:%d/1".formatted(redisPort))) {
      Awaitility.await().atMost(PATIENCE).until(() -> server.isAllowed("/", "alice", "192.0.2.1"));
      run("maxmemory-policy");
      assertThat(Files.size(backup.resolve("counters.rdb"))).isPositive();
      // This one is counted after the backup, and so forgotten.
      assertThat(server.isAllowed("/", "alice", "192.0.2.1")).isTrue();

      run("shutdown nosave");

      Awaitility.await().atMost(PATIENCE).until(() -> server.isAllowed("/", "alice", "192.0.2.1"));
      assertThat(server.isAllowed("/", "alice", "192.0.2.1")).isFalse();
    } finally {
      commands.run("redis-cli -p \"$REDIS_PORT\" shutdown nosave || true");
    }
  }

  @Test
  @Order(3)
  void theEmbeddedDatabaseIsExportedAndCopied() throws Exception {
    commands.weir();
    String key;
    try (RunningServer server = embedded()) {
      assertThat(server.run("rules", "add", "first", "--limit", "1000/s").code()).isZero();
      key = server.run("keys", "create", "--user", "alice", "--limit", "77/h").out().strip();
      run("weir export");
      run("weir archive");
      assertThat(run("/readyz")).contains("\"status\": \"ready\"", "weir_audit_dropped_total 0");
      assertThat(server.run("rules", "remove", "first").code()).isZero();
      run("weir import");
      assertThat(server.run("rules", "list").out()).contains("first");
      assertThat(server.limitWithKey(key)).isEqualTo("77");
    }
    run("cp -a \"$WEIR_DATA\"");
    try (RunningServer server = embedded()) {
      assertThat(server.run("rules", "remove", "first").code()).isZero();
    }
    run("cp -a \"$BACKUP/data\"");
    try (RunningServer server = embedded()) {
      assertThat(server.run("rules", "list").out()).contains("first");
      assertThat(server.limitWithKey(key)).isEqualTo("77");
    }
  }

  private RunningServer embedded() {
    RunningServer server = new RunningServer(folder, TOML);
    commands.let("WEIR_URL", server.url());
    return server;
  }

  /** Runs commands in a folder, those of PostgreSQL as somebody who is not root. */
  private static final class Commands {
    private static final int NOBODY = 65_534;

    private final Path folder;
    private final Map<String, String> variables = new HashMap<>();

    Commands(Path folder) {
      this.folder = folder;
    }

    void let(String name, String value) {
      variables.put(name, value);
    }

    /** Puts a {@code ./weir} into the folder that runs what is tested here. */
    void weir() throws IOException {
      Path script =
          Files.writeString(
              folder.resolve("weir"),
              "#!/bin/sh\nexec %s -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -cp '%s' %s \"$@\"\n"
                  .formatted(
                      String.join(" ", JavaCommand.with()),
                      System.getProperty("java.class.path"),
                      Weir.class.getName()));
      assertThat(script.toFile().setExecutable(true)).isTrue();
    }

    private boolean isRoot() throws IOException {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    void mayBeUsedByNobody(Path inside) throws IOException {
      if (isRoot()) {
        for (Path each : List.of(folder, inside)) {
          Files.setAttribute(each, "unix:uid", NOBODY);
        }
      }
    }

    String run(String text) throws IOException, InterruptedException {
      List<String> command = new ArrayList<>();
      if (variables.containsKey("PGDATA") && isRoot()) {
        command.addAll(
            List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups", "--"));
      }
      command.addAll(List.of("bash", "-euo", "pipefail", "-c", text));
      // To a file: what a server leaves open would keep a pipe open as long as it runs.
      Path output = folder.resolve("output.txt");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
      builder.environment().putAll(variables);
      int code = builder.start().waitFor();
      String printed = Files.readString(output, StandardCharsets.UTF_8);
      assertThat(code).as("%s\n%s", text, printed).isZero();
      return printed;
    }
  }
}
