package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An instance whose PostgreSQL is gone: from its start on, or while it runs. */
class WithoutDatabaseIT {
  private static final Duration LATEST = Duration.ofSeconds(60);
  private static final AtomicInteger NUMBERS = new AtomicInteger();
  private static final String KEY_LIMIT = "70";
  private static final String USUAL_LIMIT = "1000";

  @TempDir private Path folder = Path.of("");

  private static PostgresServer postgres;
  private PostgresDatabase database;

  @BeforeAll
  static void startPostgres() {
    postgres = PostgresServer.start(PostgresServer.Version.V18);
  }

  @AfterAll
  static void stopPostgres() {
    postgres.close();
  }

  @BeforeEach
  void makeDatabase() {
    database = PostgresDatabase.create(postgres, "weir" + NUMBERS.incrementAndGet());
  }

  @AfterEach
  void leavePostgresAlive() {
    endOutage();
  }

  /** How a server can be gone. */
  private enum Outage {
    KILLED,
    SILENT;

    void begin() {
      if (this == KILLED) {
        postgres.kill();
      } else {
        postgres.pause();
      }
    }
  }

  private static void endOutage() {
    if (postgres.isAlive()) {
      postgres.resume();
    } else {
      postgres.restart();
    }
  }

  private Instance start() {
    return Instance.start(
        folder,
        """
        [default]
        limit = %s
        window = "1h"

        [[rule]]
        name = "filed"
        match = { path = "/filed" }
        action = "block"

        %s"""
            .formatted(USUAL_LIMIT, database.toml()));
  }

  /** Starts one while the database is gone, which it does not wait for. */
  Instance startWithoutDatabase(String what) {
    Instance instance = start();
    assertThat(instance.caller.get("/readyz").json().get("status").asText())
        .as(what)
        .isEqualTo("ready");
    return instance;
  }

  /** A rule and a block in the database, and a key that was used. */
  private static Instance.NewKey fill(Instance instance) {
    // A busy machine may take longer to connect than a start waits.
    awaitState(instance, "current");
    assertThat(instance.addRule("stored").status()).isEqualTo(201);
    assertThat(instance.block("mallory").status()).isEqualTo(201);
    Instance.NewKey key = instance.makeKey("alice", KEY_LIMIT + "/h");
    awaitLimit(instance, key, KEY_LIMIT);
    return key;
  }

  /** A look-up takes longer than a request waits where the machine is busy. */
  private static void awaitLimit(Instance instance, Instance.NewKey key, String limit) {
    Awaitility.await().atMost(LATEST).until(() -> instance.limitWithKey(key.text()).equals(limit));
  }

  private static void awaitState(Instance instance, String state) {
    Awaitility.await()
        .atMost(LATEST)
        .until(() -> instance.database().get("state").asText().equals(state));
  }

  private static void assertFileHolds(Instance instance) {
    assertThat(instance.decision("/filed", "bob")).isEqualTo("blocked");
    assertThat(instance.decision("/", "bob")).isEqualTo("allowed");
  }

  private static void assertDatabaseHolds(Instance instance) {
    assertFileHolds(instance);
    assertThat(instance.decision("/stored", "bob")).isEqualTo("blocked");
    assertThat(instance.decision("/", "mallory")).isEqualTo("blocked");
  }

  private static void assertWritesAreRefused(Instance instance) {
    Caller caller = instance.caller;
    List<Caller.Reply> replies =
        List.of(
            instance.addRule("late"),
            caller.call(
                "PUT",
                "/v1/admin/rules/stored",
                Instance.rule("stored").replace("/stored", "/late")),
            caller.delete("/v1/admin/rules/stored"),
            instance.block("eve"),
            caller.delete("/v1/admin/blocks/user:mallory"),
            caller.post("/v1/admin/keys", "{\"user\": \"eve\"}"),
            caller.call("PUT", "/v1/admin/quotas/eve", "{\"monthly\": 5}"),
            caller.post("/v1/admin/import", ""));
    replies.forEach(WithoutDatabaseIT::assertRefused);
  }

  private static void assertRefused(Caller.Reply reply) {
    assertThat(reply.status()).as(reply.body()).isEqualTo(503);
    assertThat(reply.json().get("field").asText()).isEqualTo("database");
    assertThat(reply.json().get("message").asText()).contains("nothing was changed");
    assertThat(reply.field("retry-after")).isEqualTo("1");
  }

  /** Changes are made again, and none of those that were refused is there. */
  private static void assertWritesWork(Instance instance) {
    Awaitility.await().atMost(LATEST).until(() -> instance.addRule("later").status() == 201);
    assertThat(instance.decision("/later", "bob")).isEqualTo("blocked");
    assertThat(instance.decision("/late", "bob")).isEqualTo("allowed");
    assertThat(instance.decision("/", "eve")).isEqualTo("allowed");
    awaitState(instance, "current");
    JsonNode state = instance.database();
    assertThat(state.get("configuration").asText()).isEqualTo("current");
    // The age of a configuration that is not renewed only grows.
    Awaitility.await()
        .atMost(LATEST)
        .until(() -> instance.database().get("age_seconds").asLong() < 10);
    Awaitility.await()
        .atMost(LATEST)
        .until(() -> instance.metric("weir_configuration_age_seconds") < 10);
    assertThat(instance.metric("weir_configuration_version"))
        .isEqualTo(state.get("version").asDouble());
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("T64: an instance starts from its snapshot while PostgreSQL is gone")
  void startsFromItsSnapshot(Outage outage) {
    Instance.NewKey key;
    long version;
    try (Instance before = start()) {
      key = fill(before);
      assertDatabaseHolds(before);
      version = before.database().get("version").asLong();
      assertThat(version).isEqualTo(3);
    }
    outage.begin();

    try (Instance instance = startWithoutDatabase("with a snapshot, " + outage)) {
      JsonNode state = instance.database();
      assertThat(state.get("state").asText()).isEqualTo("unreachable");
      assertThat(state.get("configuration").asText())
          .startsWith("from snapshot of 20")
          .contains(": the database cannot be read: ", postgres.jdbcUrl(database.name()));
      assertThat(state.get("version").asLong()).isEqualTo(version);
      assertDatabaseHolds(instance);
      assertWritesAreRefused(instance);
      // Nobody can tell whether a key is right, so each counts as none, however often it comes.
      for (int i = 0; i < 10; i++) {
        assertThat(instance.limitWithKey(key.text())).isEqualTo(USUAL_LIMIT);
      }

      endOutage();
      assertWritesWork(instance);
      assertDatabaseHolds(instance);
      awaitLimit(instance, key, KEY_LIMIT);
    }
  }

  @Test
  @DisplayName("T64: the first start of an instance while PostgreSQL is down")
  void theFirstStartHasTheFileAlone() {
    postgres.kill();

    try (Instance instance = startWithoutDatabase("for the first time")) {
      JsonNode state = instance.database();
      assertThat(state.get("state").asText()).isEqualTo("unreachable");
      assertThat(state.get("configuration").asText())
          .startsWith("from the file alone: the database cannot be read: cannot connect to ")
          .contains(postgres.jdbcUrl(database.name()));
      assertThat(state.get("version").asLong()).isZero();
      assertFileHolds(instance);
      assertThat(instance.decision("/stored", "bob")).isEqualTo("allowed");
      assertWritesAreRefused(instance);

      endOutage();
      assertWritesWork(instance);
      fill(instance);
      assertDatabaseHolds(instance);
    }
  }

  @Test
  @DisplayName("T64: what an instance knows holds when PostgreSQL is killed")
  void whatIsKnownHolds() {
    try (Instance instance = start()) {
      Instance.NewKey used = fill(instance);
      Instance.NewKey unused = instance.makeKey("carol", KEY_LIMIT + "/h");
      postgres.kill();

      awaitState(instance, "unreachable");
      JsonNode state = instance.database();
      assertThat(state.get("configuration").asText())
          .startsWith("version 4 of 20")
          .contains(": the database cannot be read: ");
      assertDatabaseHolds(instance);
      assertThat(instance.limitWithKey(used.text())).isEqualTo(KEY_LIMIT);
      assertThat(instance.limitWithKey(unused.text())).as("nobody asked yet").isEqualTo(KEY_LIMIT);
      assertRefused(instance.addRule("late"));
      Awaitility.await()
          .atMost(LATEST)
          .until(() -> instance.metric("weir_configuration_age_seconds") >= 3);

      endOutage();
      assertWritesWork(instance);
      assertDatabaseHolds(instance);
    }
  }
}
