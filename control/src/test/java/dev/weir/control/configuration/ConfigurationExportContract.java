package dev.weir.control.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.change.Acts;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.change.Changes;
import dev.weir.control.database.Database;
import dev.weir.control.testing.Databases;
import dev.weir.policy.TomlText;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.Mistake;
import dev.weir.policy.config.OtherTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What holds for exports and imports on every database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConfigurationExportContract {
  private static final String TEXT =
      """
      [[tier]]
      name = "pro"
      limit = "500/m"
      endpoints = { "/chat" = 5 }

      [[endpoint]]
      name = "upload"
      paths = ["/up/**"]
      limit = "2/m"
      scope = "user"

      [[rule]]
      name = "api"
      priority = 600
      match = { endpoint = ["*"], path = ["/api/**"], header = { host = ["example.org"] } }
      limits = ["100/s"]
      algorithm = "sliding_window"
      scope = "client"
      action = "throttle"
      final = false
      mode = "enforce"
      enabled = true

      [[exempt]]
      user = "monitor"

      [[block]]
      ip = "10.0.0.0/8"
      reason = "scan"
      until = "2026-12-01T00:00:00Z"
      """;

  final Databases databases;
  Database database;
  private ConfigurationExport export;

  @SuppressWarnings("NullAway.Init")
  ConfigurationExportContract(Databases databases) {
    this.databases = databases;
  }

  @BeforeEach
  void open(@TempDir Path folder) {
    database = databases.migrated(folder).open();
    export = export(List.of());
  }

  ConfigurationExport export(List<ExportedTable> others) {
    return new ConfigurationExport(database, new Changes(database), () -> FileText.FILE, others);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @AfterAll
  void stop() {
    databases.close();
  }

  private long version() {
    return StoredConfiguration.read(database).version();
  }

  long acts() {
    return database
        .jdbi()
        .withHandle(
            handle ->
                handle.createQuery("select count(*) from admin_audit").mapTo(Long.class).one());
  }

  @Test
  void anExportIsInTheTablesOfTheFile() {
    assertThat(export.export()).isEmpty();
    assertThat(export.replace("alice", TEXT, "all.toml"))
        .isEqualTo(
            new Differences(
                List.of(
                    "tier:pro",
                    "endpoint:upload",
                    "rule:api",
                    "exemption:user:monitor",
                    "block:ip:10.0.0.0/8"),
                List.of(),
                List.of()));
    assertThat(export.export()).isEqualTo(TEXT);
    assertThat(version()).isEqualTo(1);
    assertThat(acts()).isEqualTo(5);
  }

  @Test
  void importingAnExportChangesNothing() {
    RandomParts random = new RandomParts(3);
    database
        .jdbi()
        .useTransaction(
            handle -> {
              Rows rows = new Rows(handle);
              rows.insert(
                  EntryKind.TIER, TierColumns.INSTANCE.of(random.tier(), Map.of()), "alice");
              for (int i = 0; i < 100; i++) {
                rows.insert(
                    EntryKind.TIER,
                    TierColumns.INSTANCE.of(random.tier(), Map.of("limit", "")),
                    "alice");
                rows.insert(
                    EntryKind.ENDPOINT,
                    EndpointColumns.INSTANCE.of(random.endpoint(), Map.of()),
                    "alice");
                rows.insert(
                    EntryKind.RULE, RuleColumns.INSTANCE.of(random.rule(), Map.of()), "alice");
              }
              handle.execute(
                  "insert into rate_limit_rules (rule_name, user_tier, requests_per_hour, burst_size)"
                      + " values ('by_hand', 'free', 1000, 20)");
              handle.execute("insert into blocks (client) values ('ip:10.0.0.1/32')");
            });
    StoredConfiguration before = StoredConfiguration.read(database);
    String text = export.export();
    assertThat(export.tryOut("bob", text, "all.toml").updated())
        .as("a client that is written in another way")
        .isEmpty();
    Differences differences = export.replace("bob", text, "all.toml");
    assertThat(differences.created()).containsExactly("block:ip:10.0.0.1");
    assertThat(differences.deleted()).containsExactly("block:ip:10.0.0.1/32");
    String exported = export.export();
    assertThat(export.replace("bob", exported, "all.toml")).isEqualTo(Differences.NONE);
    assertThat(version()).isEqualTo(1);
    assertThat(StoredConfiguration.read(database).entries(EntryKind.RULE))
        .isEqualTo(before.entries(EntryKind.RULE));
    assertThat(export.export()).isEqualTo(exported);
  }

  @Test
  void anImportReplacesAllAndSaysWhatItChanged() {
    export.replace("alice", TEXT, "all.toml");
    String next =
        """
        [[tier]]
        name = "pro"
        limit = 600
        window = "60s"

        [[tier]]
        name = "plain"

        [[rule]]
        name = "api"
        priority = 600
        match = { path = "/api/**", endpoint = "*", header.Host = "EXAMPLE.org" }
        limits = ["100/1s sliding_window"]

        [[exempt]]
        user = ["monitor", "watch"]
        """;
    Differences expected =
        new Differences(
            List.of("tier:plain", "exemption:user:watch"),
            List.of("tier:pro"),
            List.of("endpoint:upload", "block:ip:10.0.0.0/8"));
    assertThat(export.tryOut("bob", next, "next.toml")).isEqualTo(expected);
    assertThat(export.export()).isEqualTo(TEXT);
    assertThat(export.replace("bob", next, "next.toml")).isEqualTo(expected);
    assertThat(acts()).isEqualTo(5 + 5);
    assertThat(export.replace("bob", "", "empty.toml").deleted()).hasSize(5);
    assertThat(export.export()).isEmpty();
  }

  @Test
  void theTextOnThePageAboutItIsRight() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "reference", "stored-configuration.md"));
    String text = page.split("```text\n", 2)[1].split("```", 2)[0];
    assertThat(export.replace("alice", text, "page.toml").created())
        .containsExactly("tier:pro", "rule:api", "exemption:user:monitor", "block:ip:10.0.0.0/8");
  }

  @Test
  void aTierThatFollowsTheDefaultIsNotOneWithAnEqualLimit() {
    export.replace("alice", "[[tier]]\nname = \"plain\"\n", "a.toml");
    assertThat(export.replace("alice", "[[tier]]\nname = \"plain\"\nlimit = \"100/m\"\n", "b.toml"))
        .isEqualTo(new Differences(List.of(), List.of("tier:plain"), List.of()));
  }

  @Test
  void everyMistakeIsNamedWithItsPlaceAndNothingIsDone() {
    export.replace("alice", TEXT, "all.toml");
    String wrong =
        """
        [[tier]]
        name = "free"

        [[rule]]
        name = "a"
        limits = ["1/x"]
        match = { endpoint = "nowhere" }

        [[rule]]
        name = "a"
        action = "block"
        colour = "red"

        [[block]]
        ip = "10.0.0.1/8"
        until = "soon"

        [[exempt]]
        ip = "10.9.0.0/16"

        [[planet]]
        name = "mars"
        """;
    assertThatThrownBy(() -> export.replace("bob", wrong, "new.toml"))
        .isInstanceOfSatisfying(
            ConfigException.class,
            e ->
                assertThat(e.mistakes())
                    .extracting(Mistake::place)
                    .containsExactly(
                        "new.toml:2:1",
                        "new.toml:6:1",
                        "new.toml:7:11",
                        "new.toml:10:1",
                        "new.toml:12:1",
                        "new.toml:15:1",
                        "new.toml:16:1",
                        "new.toml:19:1",
                        "new.toml:21:1"))
        .hasMessageContaining("tier[0].name: must be new, but tier \"free\" is in the file")
        .hasMessageContaining("rule[1].colour: is unknown")
        .hasMessageContaining("planet: is unknown");
    assertThatThrownBy(() -> export.replace("bob", "[[rule]\n", "new.toml"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("new.toml:1:");
    assertThat(export.export()).isEqualTo(TEXT);
    assertThat(version()).isEqualTo(1);
  }

  @Test
  void whatIsDamagedByHandCanBeReplaced() {
    export.replace("alice", TEXT, "all.toml");
    database.jdbi().useHandle(handle -> handle.execute("update tiers set limit_text = '5/parsec'"));
    Differences differences = export.replace("alice", TEXT, "all.toml");
    assertThat(differences.updated()).contains("tier:pro");
    assertThat(export.export()).isEqualTo(TEXT);
  }

  /** Users with a quota, as somebody else might add them. */
  private static final class Quotas implements ExportedTable {
    @Override
    public String table() {
      return "quota";
    }

    @Override
    public void export(Handle handle, TomlText toml) {
      handle
          .createQuery("select user_id from user_quotas order by user_id")
          .mapTo(String.class)
          .forEach(user -> toml.element("quota").put("user", user));
    }

    @Override
    public Import begin() {
      List<String> users = new ArrayList<>();
      return new Import() {
        @Override
        public void read(OtherTable table) {
          table.requireOnly(Set.of("user"));
          users.add(String.valueOf(table.values().get("user")));
        }

        @Override
        public Differences apply(Handle handle, Acts acts, String actor) {
          handle.execute("delete from user_quotas");
          for (String user : users) {
            if (user.equals("nobody")) {
              throw new ChangeRefused(ChangeRefused.Kind.INVALID, "user", "must be somebody");
            }
            handle.execute("insert into user_quotas (user_id) values (?)", user);
            acts.record("quota.create", "quota:" + user, null, null);
          }
          return new Differences(
              users.stream().map(user -> "quota:" + user).toList(), List.of(), List.of());
        }
      };
    }
  }

  @Test
  void othersAddTheirTables() {
    ConfigurationExport both = export(List.of(new Quotas()));
    String text = TEXT + "\n[[quota]]\nuser = \"alice\"\n";
    assertThat(both.replace("alice", text, "all.toml").created()).endsWith("quota:alice");
    assertThat(both.export()).isEqualTo(text);
    assertThatThrownBy(
            () -> both.replace("alice", "[[quota]]\nuser = \"a\"\nage = 7\n", "all.toml"))
        .hasMessageStartingWith("all.toml:3:1: quota[0].age: is unknown");
    assertThatThrownBy(() -> both.replace("alice", "[[quota]]\nuser = \"nobody\"\n", "all.toml"))
        .hasMessage("user must be somebody");
    assertThat(both.export()).isEqualTo(text);
  }
}
