package dev.weir.control.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.configuration.ConfigurationState.Origin;
import dev.weir.control.database.DatabaseTimeouts;
import dev.weir.control.testing.Databases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Instances whose server is down, silent, or dies. */
abstract class PostgresConfigurationWatchContract extends ConfigurationWatchContract {
  /** What is waited for at the start is not there, so there is no point in waiting long. */
  private static final Duration START = Duration.ofMillis(10);

  /** A call on a dead server fails soon. */
  private static final DatabaseTimeouts TIMEOUTS =
      new DatabaseTimeouts(
          Duration.ofSeconds(3),
          Duration.ofSeconds(5),
          Duration.ofSeconds(4),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofMillis(20));

  PostgresConfigurationWatchContract(Databases databases) {
    super(databases);
  }

  /** A database with a rule, and a data folder with a snapshot of it. */
  private Databases.Source sourceWithSnapshot(Path data) {
    Databases.Source source = databases.migrated(folder);
    try (Instance instance = new Instance(source.open(), data).start(LONG)) {
      instance.rule("a");
      instance.awaitVersion(data, 1);
    }
    return source;
  }

  private static Instance startedWithoutDatabase(Databases.Source source, Path data) {
    return new Instance(source.openInBackground(TIMEOUTS), data).start(START);
  }

  @Test
  void aChangeOfAnotherInstanceIsNotified() {
    Databases.Source source = databases.migrated(folder);
    try (Instance one = new Instance(source.open(), folder.resolve("one"), NOTIFIED).start(LONG);
        Instance other =
            new Instance(source.open(), folder.resolve("other"), NOTIFIED).start(LONG)) {
      one.rule("a");
      other.awaitRules("from_file", "a");
      one.rule("b");
      other.awaitRules("from_file", "a", "b");
    }
  }

  @Test
  @DisplayName("T64: a server that is down at the start: from the snapshot, then current")
  void startsFromTheSnapshotWhenTheServerIsDown() {
    Path data = folder.resolve("data");
    Databases.Source source = sourceWithSnapshot(data);
    databases.server().kill();
    try (Instance instance = startedWithoutDatabase(source, data)) {
      instance.awaitRules("from_file", "a");
      assertThat(instance.watch.state().origin()).isEqualTo(Origin.SNAPSHOT);
      assertThat(instance.watch.state().version()).isEqualTo(1);
      instance.awaitState("from snapshot of 20");
      String problem = "the database cannot be read: cannot connect to " + source.settings().url();
      Awaitility.await()
          .atMost(LONG)
          .untilAsserted(
              () -> assertThat(instance.watch.state().toString()).contains(": " + problem));
      databases.server().restart();
      instance.awaitState("current");
      instance.rule("b");
      instance.awaitRules("from_file", "a", "b");
    } finally {
      databases.restartIfDead();
    }
  }

  @Test
  @DisplayName("T64: a server that is silent at the start: from the snapshot, then current")
  void startsFromTheSnapshotWhenTheServerIsSilent() {
    Path data = folder.resolve("data");
    Databases.Source source = sourceWithSnapshot(data);
    databases.server().pause();
    try (Instance instance = startedWithoutDatabase(source, data)) {
      instance.awaitRules("from_file", "a");
      assertThat(instance.watch.state().origin()).isEqualTo(Origin.SNAPSHOT);
      databases.server().resume();
      instance.awaitState("current");
    } finally {
      databases.server().resume();
    }
  }

  @Test
  void withoutASnapshotTheFileHoldsAloneUntilTheServerIsThere() {
    Databases.Source source = databases.migrated(folder);
    databases.server().kill();
    try (Instance instance = startedWithoutDatabase(source, folder.resolve("data"))) {
      instance.awaitRules("from_file");
      instance.awaitState("from the file alone: ");
      databases.server().restart();
      instance.awaitState("current");
    } finally {
      databases.restartIfDead();
    }
  }

  @Test
  void aDamagedSnapshotIsSaidSoAndNotUsed() throws IOException {
    Path data = folder.resolve("data");
    Databases.Source source = sourceWithSnapshot(data);
    Path file = data.resolve("configuration.snapshot");
    Files.writeString(file, Files.readString(file).replace("\"a\"", "\"b\""));
    databases.server().kill();
    try (Instance instance = startedWithoutDatabase(source, data)) {
      instance.awaitRules("from_file");
      assertThat(instance.watch.state().toString())
          .startsWith("from the file alone: ")
          .endsWith(file + ": is damaged: its checksum is another one");
    } finally {
      databases.restartIfDead();
    }
  }

  @Test
  @DisplayName("T64: a server that dies: what was read last holds, and is followed again")
  void aServerThatDiesLeavesWhatWasReadLast() {
    Databases.Source source = databases.migrated(folder);
    try (Instance instance =
        new Instance(source.open(TIMEOUTS), folder.resolve("data")).start(LONG)) {
      instance.rule("a");
      instance.awaitRules("from_file", "a");
      databases.server().kill();
      instance.watch.wake();
      instance.awaitState("version 1 of ");
      assertThat(instance.watch.state().problem()).startsWith("the database cannot be read: ");
      instance.awaitRules("from_file", "a");
      databases.server().restart();
      instance.awaitState("current");
      instance.rule("b");
      instance.awaitRules("from_file", "a", "b");
    } finally {
      databases.restartIfDead();
    }
  }
}
