package dev.weir.control.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.configuration.ConfigurationState.Origin;
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
  private static final Duration START = Duration.ofSeconds(2);

  PostgresConfigurationWatchContract(Databases databases) {
    super(databases);
  }

  /** A database with a rule, and a data folder with a snapshot of it. */
  private Databases.Source sourceWithSnapshot(Path data) {
    Databases.Source source = databases.empty(folder);
    try (Instance instance = new Instance(source.open(), data).start(LONG)) {
      instance.rule("a");
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(new Snapshot(data).read().orElseThrow().stored().version())
                      .isEqualTo(1));
    }
    return source;
  }

  private Instance startedInTime(Databases.Source source, Path data) {
    long startNanos = System.nanoTime();
    Instance instance =
        new Instance(source.openInBackground(), data).start(ConfigurationWatch.PATIENCE);
    Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
    System.out.printf("started without its database in %d ms%n", took.toMillis());
    assertThat(took).isLessThan(START);
    return instance;
  }

  @Test
  void aChangeIsInForceElsewhereWithinASecond() {
    Databases.Source source = databases.empty(folder);
    try (Instance one = new Instance(source.open(), folder.resolve("one")).start(LONG);
        Instance other = new Instance(source.open(), folder.resolve("other")).start(LONG)) {
      for (int i = 1; i <= 20; i++) {
        one.rule("r" + i);
        long startNanos = System.nanoTime();
        int rules = i + 1;
        Awaitility.await()
            .atMost(LONG)
            .pollInterval(Duration.ofMillis(5))
            .until(() -> other.last().policy().rules().size() == rules);
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
            .isLessThan(Duration.ofSeconds(1));
      }
    }
  }

  @Test
  @DisplayName("T64: a server that is down at the start: from the snapshot, then current")
  void startsFromTheSnapshotWhenTheServerIsDown() {
    Path data = folder.resolve("data");
    Databases.Source source = sourceWithSnapshot(data);
    databases.server().kill();
    try (Instance instance = startedInTime(source, data)) {
      instance.awaitRules("from_file", "a");
      assertThat(instance.watch.state().origin()).isEqualTo(Origin.SNAPSHOT);
      assertThat(instance.watch.state().version()).isEqualTo(1);
      instance.awaitState("from snapshot of 20");
      assertThat(instance.watch.state().toString())
          .contains(": the database cannot be read: cannot connect to " + source.settings().url());
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
    try (Instance instance = startedInTime(source, data)) {
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
    Databases.Source source = databases.empty(folder);
    databases.server().kill();
    try (Instance instance = startedInTime(source, folder.resolve("data"))) {
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
    try (Instance instance = startedInTime(source, data)) {
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
    Databases.Source source = databases.empty(folder);
    try (Instance instance = new Instance(source.open(), folder.resolve("data")).start(LONG)) {
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
