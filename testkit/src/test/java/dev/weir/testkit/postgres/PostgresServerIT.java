package dev.weir.testkit.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.postgres.PostgresServer.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PostgresServerIT {

  @Test
  void answersOnceStartedAndKeepsItsDataWhenKilled() throws SQLException {
    answersOnceStartedAndKeepsItsDataWhenKilled(Version.V18);
  }

  @Test
  @Tag("long")
  void theOldestVersionAnswersOnceStartedAndKeepsItsDataWhenKilled() throws SQLException {
    answersOnceStartedAndKeepsItsDataWhenKilled(Version.V15);
  }

  private static void answersOnceStartedAndKeepsItsDataWhenKilled(Version version)
      throws SQLException {
    try (PostgresServer server = PostgresServer.start(version)) {
      int port = server.port();
      assertThat(server.jdbcUrl()).isEqualTo("jdbc:postgresql://127.0.0.1:" + port + "/postgres");
      assertThat(query(server, "show server_version")).startsWith(version.major() + ".");
      execute(server, "create table kept (word text)");
      execute(server, "insert into kept values ('wört')");

      server.kill();
      assertThat(server.isAlive()).isFalse();
      assertThatThrownBy(() -> connect(server)).hasMessageContaining("refused");
      assertThatThrownBy(server::pause).hasMessageMatching("postgres with pid \\d+ has ended");

      server.restart();
      assertThat(server.port()).isEqualTo(port);
      assertThat(query(server, "select word from kept")).isEqualTo("wört");

      server.pause();
      server.restart();
      assertThat(query(server, "select word from kept")).isEqualTo("wört");
    }
  }

  @Test
  void theSharedServerIsStartedOnceAndGivesEachCallerADatabaseOfItsOwn() throws SQLException {
    PostgresServer shared = PostgresServer.shared(Version.V18);
    assertThat(PostgresServer.shared(Version.V18)).isSameAs(shared);
    assertThatThrownBy(shared::close).hasMessage("a shared server runs until the JVM ends");
    String url = shared.createDatabase();
    try (Connection connection =
            DriverManager.getConnection(url, shared.user(), shared.password());
        Statement statement = connection.createStatement()) {
      statement.execute("create table kept (word text)");
    }
    assertThat(shared.createDatabase()).isNotEqualTo(url);
    String copy = shared.createDatabaseFrom(url.substring(url.lastIndexOf('/') + 1));
    assertThat(copy).isNotEqualTo(url);
    try (Connection connection =
        DriverManager.getConnection(copy, shared.user(), shared.password())) {
      assertThat(query(connection, "select count(*) from kept")).isEqualTo("0");
    }
  }

  @Test
  void pausedAcceptsButDoesNotAnswerUntilResumedAndKillsBackendsToo() throws SQLException {
    try (PostgresServer server = PostgresServer.start(Version.V18);
        Connection open = connect(server)) {
      long backend = Long.parseLong(query(open, "select pg_backend_pid()"));
      assertThat(ProcessHandle.of(backend)).isPresent();
      server.pause();
      assertThat(server.isAlive()).isTrue();
      assertThat(open.isValid(1)).isFalse();
      assertThatThrownBy(() -> connect(server, server.password(), 1))
          .isInstanceOf(SQLException.class);
      server.resume();
      try (Connection other = connect(server)) {
        long second = Long.parseLong(query(other, "select pg_backend_pid()"));
        server.kill();
        assertThat(isRunning(second)).isFalse();
      }
      assertThat(isRunning(backend)).isFalse();
    }
  }

  @Test
  void leavesNoProcessNoFolderAndNoSharedMemoryOnceClosed() throws Exception {
    PostgresServer server = PostgresServer.start(Version.V18);
    Path data = Path.of(query(server, "show data_directory"));
    String sharedMemory = sharedMemory(data);
    assertThat(sharedMemoryOfTheSystem()).contains(sharedMemory);
    List<Long> all =
        ProcessHandle.of(server.pid()).orElseThrow().descendants().map(ProcessHandle::pid).toList();
    assertThat(all).isNotEmpty();
    server.close();
    server.close();
    assertThat(all).noneMatch(PostgresServerIT::isRunning);
    assertThat(isRunning(server.pid())).isFalse();
    assertThat(data.getParent()).doesNotExist();
    assertThat(sharedMemoryOfTheSystem()).doesNotContain(sharedMemory);
  }

  @Test
  void closesWhenPausedAndWhenKilled() throws Exception {
    PostgresServer paused = PostgresServer.start(Version.V18);
    paused.pause();
    paused.close();
    assertThat(isRunning(paused.pid())).isFalse();

    PostgresServer killed = PostgresServer.start(Version.V18);
    Path data = Path.of(query(killed, "show data_directory"));
    String sharedMemory = sharedMemory(data);
    killed.kill();
    killed.close();
    assertThat(data.getParent()).doesNotExist();
    assertThat(sharedMemoryOfTheSystem()).doesNotContain(sharedMemory);
  }

  @Test
  void asksForThePasswordAndTakesFurtherSettings() throws SQLException {
    try (PostgresServer server =
        PostgresServer.start(Version.V18, List.of("max_connections = 7"))) {
      assertThat(query(server, "show max_connections")).isEqualTo("7");
      assertThat(query(server, "show timezone")).isNotEmpty();
      assertThatThrownBy(() -> connect(server, "wrong", 10))
          .hasMessageContaining("password authentication failed");
    }
  }

  @Test
  void saysWhyItDidNotStart() {
    assertThatThrownBy(() -> PostgresServer.start(Version.V18, List.of("no_such_setting = 1")))
        .hasMessageStartingWith("postgres did not start:\n")
        .hasMessageContaining("no_such_setting");
    assertThatThrownBy(() -> PostgresServer.start(Version.V18, List.of("a = 1\nb = 2")))
        .hasMessage("a setting must be one line, got \"a = 1\nb = 2\"");
  }

  @Test
  void saysWhatToInstallWhereThereIsNoBinary() {
    assertThatThrownBy(
            () -> PostgresBinary.find(Version.V15, "Plan 9", "mips", Path.of("/no/such/folder")))
        .hasMessage(
            "no PostgreSQL 15 for Plan 9 on mips; add weir-postgres-binaries to the class path, or install it: apt-get install postgresql-15");
  }

  @Test
  void theEndOfTheJvmEndsAPausedServer() throws IOException {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ForgetfulMain.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> lines =
        new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    assertThat(jvm.onExit().join().exitValue()).isZero();
    assertThat(lines).hasSize(4);
    assertThat(isRunning(Long.parseLong(lines.get(0)))).isFalse();
    assertThat(Path.of(lines.get(1))).doesNotExist();
    assertThat(Path.of(lines.get(2))).doesNotExist();
    assertThat(sharedMemoryOfTheSystem()).doesNotContain(lines.get(3));
  }

  /** Starts and pauses a server, and ends without closing it. */
  static final class ForgetfulMain {
    private ForgetfulMain() {}

    public static void main(String[] arguments) throws Exception {
      PostgresServer server = PostgresServer.start(Version.V18);
      Path data = Path.of(query(server, "show data_directory"));
      System.out.println(server.pid());
      System.out.println(data.getParent());
      System.out.println(PostgresBinary.folder(Version.V18));
      System.out.println(sharedMemory(data));
      server.pause();
      System.exit(0);
    }
  }

  private static boolean isRunning(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().command())
        .filter(command -> command.contains("postgres"))
        .isPresent();
  }

  private static String sharedMemory(Path data) throws IOException {
    String line = Files.readAllLines(data.resolve("postmaster.pid")).get(6).strip();
    return line.substring(line.lastIndexOf(' ') + 1);
  }

  /** The ids of all pieces of shared memory that there are. */
  private static List<String> sharedMemoryOfTheSystem() throws IOException {
    return Files.readAllLines(Path.of("/proc/sysvipc/shm")).stream()
        .map(line -> line.strip().split("\\s+", -1)[1])
        .toList();
  }

  private static Connection connect(PostgresServer server) throws SQLException {
    return connect(server, server.password(), 10);
  }

  private static Connection connect(PostgresServer server, String password, int timeoutSeconds)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", server.user());
    properties.setProperty("password", password);
    properties.setProperty("loginTimeout", Integer.toString(timeoutSeconds));
    return DriverManager.getConnection(server.jdbcUrl(), properties);
  }

  private static void execute(PostgresServer server, String sql) throws SQLException {
    try (Connection connection = connect(server);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String query(PostgresServer server, String sql) throws SQLException {
    try (Connection connection = connect(server)) {
      return query(connection, sql);
    }
  }

  private static String query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
