package dev.weir.control.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.change.ChangeFeed;
import dev.weir.control.change.Changes;
import dev.weir.control.configuration.ConfigurationState.Origin;
import dev.weir.control.database.Database;
import dev.weir.control.testing.Databases;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Rule;
import dev.weir.policy.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What holds for instances that follow their database, whichever it is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConfigurationWatchContract {
  static final Duration LONG = Duration.ofSeconds(60);

  final Databases databases;
  @TempDir Path folder = Path.of("");

  ConfigurationWatchContract(Databases databases) {
    this.databases = databases;
  }

  @AfterAll
  void stop() {
    databases.close();
  }

  /** Asks all the time, since H2 sends no notifications. */
  private static final ChangeFeed.Intervals POLLING =
      new ChangeFeed.Intervals(Duration.ofMillis(20), Duration.ofMillis(20));

  /** Never asks by itself. */
  static final ChangeFeed.Intervals NOTIFIED =
      new ChangeFeed.Intervals(Duration.ofHours(1), Duration.ofMillis(20));

  private static final Duration RETRY = Duration.ofMillis(20);

  /** An instance: it follows its database, and has a data folder. */
  static final class Instance implements AutoCloseable {
    final Database database;
    final Changes changes;
    final ChangeFeed feed;
    final ConfigurationWatch watch;
    final ConfigurationStore store;
    final List<MergedPolicy> all = new CopyOnWriteArrayList<>();

    Instance(Database database, Path dataFolder) {
      this(database, dataFolder, POLLING);
    }

    Instance(Database database, Path dataFolder, ChangeFeed.Intervals intervals) {
      this.database = database;
      this.changes = new Changes(database);
      this.feed = new ChangeFeed(database, intervals);
      this.watch = new ConfigurationWatch(database, FileText.FILE, dataFolder, all::add, RETRY);
      this.store = new ConfigurationStore(database, changes, watch::file);
      changes.onChange(feed::wake);
      watch.follow(feed);
    }

    Instance start(Duration patience) {
      watch.start(patience);
      feed.start();
      return this;
    }

    MergedPolicy last() {
      return all.get(all.size() - 1);
    }

    void awaitRules(String... names) {
      Awaitility.await()
          .atMost(LONG)
          .pollInterval(Duration.ofMillis(5))
          .untilAsserted(
              () ->
                  assertThat(last().policy().rules())
                      .extracting(Rule::name)
                      .containsExactly(names));
    }

    void awaitState(String text) {
      Awaitility.await()
          .atMost(LONG)
          .pollInterval(Duration.ofMillis(5))
          .untilAsserted(() -> assertThat(watch.state().toString()).startsWith(text));
    }

    void awaitVersion(Path dataFolder, long version) {
      Awaitility.await()
          .atMost(LONG)
          .pollInterval(Duration.ofMillis(5))
          .untilAsserted(
              () ->
                  assertThat(new Snapshot(dataFolder).read())
                      .hasValueSatisfying(
                          read -> assertThat(read.stored().version()).isEqualTo(version)));
    }

    Entry rule(String name) {
      return store.create("alice", EntryKind.RULE, Map.of("name", name, "action", "block"));
    }

    @Override
    public void close() {
      watch.close();
      feed.close();
      database.close();
    }
  }

  @Test
  void startsWithWhatTheDatabaseSaysAndFollowsIt() {
    Databases.Source source = databases.migrated(folder);
    try (Instance first = new Instance(source.open(), folder.resolve("first")).start(LONG)) {
      assertThat(first.watch.state().isCurrent()).isTrue();
      assertThat(first.watch.state()).hasToString("current");
      first.rule("a");
      first.store.create("alice", EntryKind.BLOCK, Map.of("client", "user:eve"));
      first.awaitRules("from_file", "a");
      try (Instance second = new Instance(source.open(), folder.resolve("second")).start(LONG)) {
        assertThat(second.all).hasSize(1);
        second.awaitRules("from_file", "a");
        assertThat(second.last().blocks()).hasSize(1);
        assertThat(second.last().version()).isEqualTo(2);
        first.rule("b");
        second.awaitRules("from_file", "a", "b");
        assertThat(second.watch.state().version()).isEqualTo(3);
      }
    }
  }

  @Test
  void theSnapshotIsWhatWasReadLast() {
    Path data = folder.resolve("data");
    try (Instance instance = new Instance(databases.migrated(folder).open(), data).start(LONG)) {
      for (String name : List.of("a", "b", "c")) {
        instance.rule(name);
      }
      instance.awaitVersion(data, 3);
    }
  }

  @Test
  @DisplayName("T66: what is wrong changes nothing, and is said")
  void whatIsWrongChangesNothingAndIsSaid() {
    Databases.Source source = databases.migrated(folder);
    try (Instance instance = new Instance(source.open(), folder.resolve("data")).start(LONG);
        Database byHand = source.open()) {
      instance.rule("a");
      instance.awaitRules("from_file", "a");
      int before = instance.all.size();
      byHand
          .jdbi()
          .useHandle(
              handle -> {
                handle.execute(
                    "insert into rate_limit_rules (rule_name, action) values ('b', 'block')");
                handle.execute(
                    "insert into tiers (tier_name, limit_text) values ('t', '5/parsec')");
              });
      instance.watch.wake();
      instance.awaitState("version 1 of ");
      assertThat(instance.watch.state().problem())
          .startsWith("change refused: tiers \"t\": limit: limit \"5/parsec\"");
      assertThat(instance.all).hasSize(before);
      byHand.jdbi().useHandle(handle -> handle.execute("delete from tiers"));
      instance.watch.wake();
      instance.awaitRules("from_file", "a", "b");
      instance.awaitState("current");
    }
  }

  @Test
  void aFileThatChangesIsMergedOrRefused() {
    try (Instance instance =
        new Instance(databases.migrated(folder).open(), folder.resolve("data")).start(LONG)) {
      instance.rule("a");
      instance.awaitRules("from_file", "a");
      PolicyDefinition other = FileText.parse("[[rule]]\nname = \"other\"\naction = \"block\"\n");
      instance.watch.fileChanged(other);
      instance.awaitRules("other", "a");
      PolicyDefinition wrong = FileText.parse("[[rule]]\nname = \"a\"\naction = \"block\"\n");
      assertThatThrownBy(() -> instance.watch.fileChanged(wrong))
          .isInstanceOf(ConfigException.class)
          .hasMessage("rate_limit_rules \"a\": name: must be new, but rule \"a\" is in the file");
      instance.awaitRules("other", "a");
      assertThat(instance.watch.file()).isEqualTo(other);
      instance.rule("b");
      instance.awaitRules("other", "a", "b");
    }
  }

  @Test
  void changesThatDoNotConcernItAreNotToldToIt() {
    try (Instance instance =
        new Instance(databases.migrated(folder).open(), folder.resolve("data")).start(LONG)) {
      int before = instance.all.size();
      instance.changes.make(
          "alice",
          (handle, acts) -> {
            acts.record("key.create", "key:7", null, null);
            return 1;
          });
      instance.rule("a");
      instance.awaitRules("from_file", "a");
      assertThat(instance.all).hasSize(before + 1);
    }
  }

  @Test
  void aSnapshotThatCannotBeWrittenStopsNothing() throws IOException {
    Path data = Files.createFile(folder.resolve("a-file"));
    try (Instance instance = new Instance(databases.migrated(folder).open(), data).start(LONG)) {
      instance.rule("a");
      instance.awaitRules("from_file", "a");
      assertThat(instance.watch.state().origin()).isEqualTo(Origin.DATABASE);
    }
  }
}
