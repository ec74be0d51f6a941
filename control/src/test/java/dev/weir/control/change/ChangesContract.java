package dev.weir.control.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.TimeSource;
import dev.weir.control.change.ChangeRefused.Kind;
import dev.weir.control.database.Database;
import dev.weir.control.testing.Databases;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What holds for changes on every database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ChangesContract {
  private static final Instant NOW = Instant.parse("2026-11-16T05:00:00.123456Z");

  final Databases databases;
  @TempDir Path folder = Path.of("");

  ChangesContract(Databases databases) {
    this.databases = databases;
  }

  @AfterAll
  void stop() {
    databases.close();
  }

  /** Adds a block, and an act that says so. */
  static long block(Handle handle, Acts acts, String client) {
    handle.execute("insert into blocks (client) values (?)", client);
    acts.record("block.create", "block:" + client, null, "{\"client\": \"%s\"}".formatted(client));
    return acts.version();
  }

  private static long count(Database database, String table) {
    return database.inTransaction(
        "count in",
        handle -> handle.createQuery("select count(*) from " + table).mapTo(Long.class).one());
  }

  private static @Nullable Long firstBroken(Database database) {
    return database.inTransaction("check", handle -> List.of(broken(handle))).stream()
        .filter(id -> id >= 0)
        .findFirst()
        .orElse(null);
  }

  private static long broken(Handle handle) {
    Long id = AdminAudit.firstBroken(handle);
    return id == null ? -1 : id;
  }

  @Test
  void versionsFollowOneAnotherOverThreadsAndInstances() throws Exception {
    Databases.Source source = databases.migrated(folder);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (Database one = source.open();
        Database other = source.open()) {
      List<Callable<List<Long>>> tasks = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Changes changes = new Changes(i % 2 == 0 ? one : other);
        String user = "user:" + i + "-";
        tasks.add(
            () ->
                LongStream.range(0, 25)
                    .map(
                        n -> changes.make("alice", (handle, acts) -> block(handle, acts, user + n)))
                    .boxed()
                    .toList());
      }
      List<Long> versions = new ArrayList<>();
      for (Future<List<Long>> each : threads.invokeAll(tasks)) {
        assertThat(each.get()).isSorted();
        versions.addAll(each.get());
      }
      assertThat(versions)
          .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 200).boxed().toList());
      List<Long> inOrder =
          one.inTransaction(
              "read",
              handle ->
                  handle
                      .createQuery("select version from admin_audit order by audit_id")
                      .mapTo(Long.class)
                      .list());
      assertThat(inOrder).hasSize(200).isSorted();
      assertThat(firstBroken(one)).isNull();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void theAuditSaysWhoDidWhatWhen() {
    try (Database database = databases.migrated(folder).open()) {
      new Changes(database, TimeSource.manual(NOW))
          .make("alice", (handle, acts) -> block(handle, acts, "user:eve"));
      Map<String, Object> row =
          database.inTransaction(
              "read", handle -> handle.createQuery("select * from admin_audit").mapToMap().one());
      assertThat(row)
          .containsEntry("actor", "alice")
          .containsEntry("act", "block.create")
          .containsEntry("subject", "block:user:eve")
          .containsEntry("version", 1L);
      assertThat(row.get("before_state")).isNull();
      assertThat(row.get("after_state")).hasToString("{\"client\": \"user:eve\"}");
      Instant at =
          database.inTransaction(
              "read",
              handle ->
                  handle
                      .createQuery("select occurred_at from admin_audit")
                      .mapTo(Instant.class)
                      .one());
      assertThat(at).isEqualTo(NOW);
    }
  }

  @Test
  void whatIsRefusedLeavesNothing() {
    try (Database database = databases.migrated(folder).open()) {
      Changes changes = new Changes(database);
      AtomicInteger told = new AtomicInteger();
      changes.onChange(told::incrementAndGet);
      assertThatThrownBy(
              () ->
                  changes.make(
                      "alice",
                      (handle, acts) -> {
                        block(handle, acts, "user:eve");
                        throw new ChangeRefused(Kind.INVALID, "reason", "must be given");
                      }))
          .isInstanceOf(ChangeRefused.class)
          .hasMessage("reason must be given");
      assertThat(count(database, "blocks")).isZero();
      assertThat(count(database, "admin_audit")).isZero();
      assertThat(told).hasValue(0);
      assertThat(changes.<Long>make("alice", (handle, acts) -> block(handle, acts, "user:eve")))
          .isEqualTo(1);
      assertThat(told).hasValue(1);
    }
  }

  @Test
  void aDryRunLeavesNothing() {
    try (Database database = databases.migrated(folder).open()) {
      Changes changes = new Changes(database);
      AtomicInteger told = new AtomicInteger();
      changes.onChange(told::incrementAndGet);
      long blocked =
          changes.tryOut(
              "alice",
              (handle, acts) -> {
                block(handle, acts, "user:eve");
                return handle.createQuery("select count(*) from blocks").mapTo(Long.class).one();
              });
      assertThat(blocked).isEqualTo(1);
      assertThat(count(database, "blocks")).isZero();
      assertThat(count(database, "admin_audit")).isZero();
      assertThat(told).hasValue(0);
      assertThat(changes.<Long>make("alice", (handle, acts) -> block(handle, acts, "user:eve")))
          .isEqualTo(1);
    }
  }

  @Test
  void theChainTellsOfEveryChangedAndEveryMissingRow() {
    try (Database database = databases.migrated(folder).open()) {
      Changes changes = new Changes(database, TimeSource.manual(NOW));
      for (int i = 1; i <= 5; i++) {
        String client = "user:u" + i;
        changes.make("alice", (handle, acts) -> block(handle, acts, client));
      }
      assertThat(firstBroken(database)).isNull();
      long third =
          database.inTransaction(
              "read",
              handle ->
                  handle
                      .createQuery("select audit_id from admin_audit where version = 3")
                      .mapTo(Long.class)
                      .one());
      for (String change :
          List.of(
              "update admin_audit set actor = 'mallory' where version = 3",
              "update admin_audit set act = 'block.delete' where version = 3",
              "update admin_audit set subject = 'block:user:u' where version = 3",
              "update admin_audit set before_state = '{}' where version = 3",
              "update admin_audit set after_state = null where version = 3",
              "update admin_audit set after_state = '{\"client\":\"user:u3\"}' where version = 3",
              "update admin_audit set version = 2 where version = 3",
              "update admin_audit set occurred_at = '2026-11-16 05:00:00.123457+00' where version = 3",
              "update admin_audit set hash = '" + "f".repeat(64) + "' where version = 3",
              "delete from admin_audit where version = 2",
              "delete from admin_audit where version <= 2")) {
        long found =
            database.inTransaction(
                "spoil",
                handle -> {
                  handle.execute(change);
                  long broken = broken(handle);
                  handle.rollback();
                  return broken;
                });
        assertThat(found).as(change).isEqualTo(third);
      }
      assertThat(firstBroken(database)).isNull();
    }
  }

  @Test
  void whatTheSchemaRefusesNamesTheColumn() {
    try (Database database = databases.migrated(folder).open()) {
      Changes changes = new Changes(database);
      changes.make(
          "alice",
          (handle, acts) -> handle.execute("insert into tiers (tier_name) values ('gold')"));
      changes.make(
          "alice",
          (handle, acts) ->
              handle.execute(
                  "insert into rate_limit_rules (rule_name, action) values ('a', 'block')"));
      Map<String, String> statements =
          Map.of(
              "insert into rate_limit_rules (rule_name, action) values ('a', 'allow')",
              "CONFLICT name",
              "insert into tiers (tier_name) values ('gold')",
              "CONFLICT name",
              "insert into rate_limit_rules (rule_name, action, priority) values ('b', 'allow', 2000000)",
              "INVALID priority",
              "insert into rate_limit_rules (rule_name, action, scope) values ('b', 'allow', null)",
              "INVALID scope",
              "insert into rate_limit_rules (rule_name, action, requests_per_second) values ('b', 'throttle', 0)",
              "INVALID requests_per_second",
              "insert into blocks (client) values ('eve')",
              "INVALID client",
              "insert into api_keys (api_key_hash, user_id) values ('" + "0".repeat(64) + "', 'x')",
              "INVALID user");
      statements.forEach(
          (sql, expected) ->
              assertThatThrownBy(() -> changes.make("alice", (handle, acts) -> handle.execute(sql)))
                  .as(sql)
                  .isInstanceOfSatisfying(
                      ChangeRefused.class,
                      refused ->
                          assertThat(refused.kind() + " " + refused.field()).isEqualTo(expected)));
    }
  }

  @Test
  void aVersionThatNobodyHasSeenIsRefused() {
    ChangeRefused.requireVersion("rule:a", 7, 7L);
    ChangeRefused.requireVersion("rule:a", 7, null);
    assertThatThrownBy(() -> ChangeRefused.requireVersion("rule:a", 7, 6L))
        .isInstanceOfSatisfying(
            ChangeRefused.class, e -> assertThat(e.kind()).isEqualTo(Kind.PRECONDITION))
        .hasMessage("version of rule:a must be 7, which it is now, got 6");
  }
}
