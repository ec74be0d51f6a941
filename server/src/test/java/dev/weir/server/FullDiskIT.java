package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testkit.postgres.PostgresServer;
import dev.weir.testkit.process.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service on disks that are really full, and then are not any more. */
class FullDiskIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Logger LOGGER = Logger.getLogger("dev.weir");

  @TempDir private Path folder = Path.of("");
  private int changes;

  @BeforeEach
  void beQuiet() throws IOException {
    LOGGER.setLevel(Level.OFF);
    // PostgreSQL may run as somebody else.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @AfterEach
  void beLoud() {
    LOGGER.setLevel(null);
  }

  private WeirServer start(String database, Path data) throws IOException {
    Path config = Files.writeString(folder.resolve("weir.toml"), database + DistinctChecks.CONFIG);
    Map<String, String> environment =
        Map.of(
            "RATE_LIMIT_SERVER_DATA", data.toString(),
            "RATE_LIMIT_EVENTS_FILE", folder.resolve("events.jsonl").toString());
    return WeirServer.start(new ServerOptions(config, 0, null, environment));
  }

  /** A change that needs some room in the database. */
  private Caller.Reply change(Caller caller) {
    changes++;
    String reason = "x".repeat(400) + changes;
    return caller.call(
        "PUT",
        "/v1/admin/quotas/user" + changes,
        "{\"blocked\": true, \"block_reason\": \"%s\"}".formatted(reason));
  }

  /** Changes until the database has no room for more, and reads what is answered then. */
  private Caller.Reply changeUntilRefused(Caller caller) {
    Caller.Reply reply = change(caller);
    for (int i = 0; i < 5_000 && reply.status() == 200; i++) {
      reply = change(caller);
    }
    AdminWork.requireUnavailable(reply);
    return reply;
  }

  private void awaitChange(Caller caller) {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              Caller.Reply reply = change(caller);
              if (reply.status() != 200) {
                AdminWork.requireUnavailable(reply);
              }
              return reply.status() == 200;
            });
  }

  private static JsonNode database(Caller caller) {
    Caller.Reply ready = caller.get("/readyz");
    assertThat(ready.status()).isEqualTo(200);
    return ready.json().get("database");
  }

  private static void awaitDelivered(Caller caller) {
    Awaitility.await().atMost(PATIENCE).until(() -> database(caller).get("waiting").asInt() == 0);
  }

  private static long dropped(Caller caller) {
    return caller
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("weir_audit_dropped_total "))
        .mapToLong(line -> Math.round(Double.parseDouble(line.split(" ", -1)[1])))
        .sum();
  }

  @Test
  @DisplayName("T64: PostgreSQL without room: admin writes get 503, decisions go on, all is kept")
  void postgresHasNoRoom() throws Exception {
    try (SmallDisk disk = SmallDisk.mountForNobody(folder.resolve("disk"), "64m");
        PostgresServer postgres = PostgresServer.start(PostgresServer.Version.V18)) {
      execute(postgres, "create tablespace small location '%s'".formatted(disk.path()));
      execute(postgres, "create database weir tablespace small");
      String toml =
          StoredAudit.config(postgres).replace(postgres.jdbcUrl(), postgres.jdbcUrl("weir"));
      try (WeirServer server = start(toml, folder.resolve("data"));
          DistinctChecks checks = new DistinctChecks(server.port(), "postgres")) {
        Caller caller = new Caller(server.port());
        awaitChange(caller);
        disk.fill();
        Caller.Reply refusal = changeUntilRefused(caller);
        assertThat(refusal.json().get("message").asText()).contains("No space left on device");
        Awaitility.await().atMost(PATIENCE).until(() -> database(caller).has("problem"));
        assertThat(database(caller).get("problem").asText()).contains("No space left on device");
        disk.free();
        awaitChange(caller);
        finish(caller, checks);
        assertThat(dropped(caller)).isZero();
      }
    }
  }

  private static void execute(PostgresServer postgres, String sql) throws Exception {
    try (Connection connection =
            DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Ends the load; all of its decisions are in the audit then, each once. */
  private static void finish(Caller caller, DistinctChecks checks) {
    checks.stop();
    checks.requireAllAnswered();
    awaitDelivered(caller);
    List<String> kept = AuditExport.paths(caller);
    assertThat(kept).hasSameSizeAs(checks.answered().keySet());
    assertThat(new HashSet<>(kept)).isEqualTo(checks.answered().keySet());
  }

  @Test
  @DisplayName("T64: the embedded database without room")
  void theEmbeddedDatabaseHasNoRoom() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "16m")) {
      try (WeirServer server = start("", PreparedData.in(disk.path().resolve("data")));
          DistinctChecks checks = new DistinctChecks(server.port(), "embedded")) {
        Caller caller = new Caller(server.port());
        awaitChange(caller);
        disk.fill();
        // The first ones may meet connections that are just given up.
        Awaitility.await()
            .atMost(PATIENCE)
            .until(
                () ->
                    changeUntilRefused(caller)
                        .json()
                        .get("message")
                        .asText()
                        .endsWith("the file cannot be used: No space left on device"));
        int before = checks.answered().size();
        Awaitility.await().until(() -> checks.answered().size() > before + 100);
        Awaitility.await().atMost(PATIENCE).until(() -> database(caller).has("problem"));
        disk.grow("64m");
        awaitChange(caller);
        finish(caller, checks);
        assertThat(dropped(caller)).isZero();
      }
    }
  }

  @Test
  @Tag("long") // Records of 64 MB have to wait in memory before one is dropped.
  @DisplayName("T64: the journal without room drops and counts, and goes on when there is some")
  void theJournalHasNoRoom() throws Exception {
    try (SmallDisk disk = SmallDisk.mount(folder.resolve("disk"), "2m");
        WeirServer server = start(PostgresDatabase.shared().toml(), disk.path().resolve("data"))) {
      Caller caller = new Caller(server.port());
      awaitDelivered(caller);
      disk.fill();
      int asked = 0;
      while (dropped(caller) == 0) {
        for (int i = 0; i < 50; i++) {
          asked += ManyChecks.ask(caller, "full", asked);
        }
      }
      JsonNode state = database(caller);
      assertThat(state.get("dropped").asLong()).isPositive();
      assertThat(state.get("problem").asText()).contains("No space left on device");
      // The database itself has room.
      awaitChange(caller);
      disk.grow("256m");
      awaitDelivered(caller);
      long dropped = dropped(caller);
      int after = ManyChecks.ask(caller, "after", 0);
      awaitDelivered(caller);
      assertThat(dropped(caller)).isEqualTo(dropped);
      assertThat(database(caller).has("problem")).isFalse();
      List<String> kept = AuditExport.paths(caller);
      assertThat(kept).doesNotHaveDuplicates();
      assertThat(kept.stream().filter(path -> path.startsWith("/after/"))).hasSize(after);
      assertThat((long) kept.size()).isBetween(asked + after - dropped, (long) asked + after);
      System.out.printf(
          "journal without room: %d decisions, %d records dropped, %d kept%n",
          asked + after, dropped, kept.size());
    }
  }
}
