package dev.weir.control.configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.policy.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotTest {
  private static final Instant NOW = Instant.parse("2026-11-16T05:00:00Z");
  private static final Limit DEFAULT = Limit.parse("100/m");

  @TempDir Path folder = Path.of("");

  private Path file() {
    return folder.resolve("configuration.snapshot");
  }

  private static StoredConfiguration stored(long version) {
    RandomParts random = new RandomParts(version);
    List<Entry> entries = new ArrayList<>();
    entries.add(new Entry(EntryKind.TIER, "plain", Map.of("name", "plain"), null));
    for (int i = 0; i < 20; i++) {
      var rule = random.rule();
      var columns = EntryKind.RULE.columns().of(rule, Map.of());
      entries.add(
          new Entry(EntryKind.RULE, rule.name(), EntryKind.RULE.columns().document(columns), null));
    }
    entries.add(
        new Entry(
            EntryKind.BLOCK,
            "ip:10.0.0.0/8",
            Map.of("client", "ip:10.0.0.0/8", "reason", "scan", "until", "2026-12-01T00:00:00Z"),
            null));
    return new StoredConfiguration(version, entries);
  }

  @Test
  void comesBackAsItWas() {
    Snapshot snapshot = new Snapshot(folder);
    assertThat(snapshot.read()).isEmpty();
    for (long version : new long[] {7, 8}) {
      StoredConfiguration stored = stored(version);
      snapshot.write(stored, NOW);
      Snapshot.Saved saved = snapshot.read().orElseThrow();
      assertThat(saved.at()).isEqualTo(NOW);
      assertThat(saved.stored().version()).isEqualTo(version);
      assertThat(new EntryReader().read(saved.stored().entries(), DEFAULT))
          .isEqualTo(new EntryReader().read(stored.entries(), DEFAULT))
          .hasSize(22);
      // What has no limit goes on following the default one.
      assertThat(saved.stored().entries(EntryKind.TIER).get(0).document())
          .isEqualTo(Map.of("name", "plain"));
    }
    assertThat(folder).isDirectoryNotContaining("glob:**.new");
  }

  @Test
  void aDamagedOneIsNeverReadAsAnother() throws IOException {
    Snapshot snapshot = new Snapshot(folder);
    snapshot.write(stored(7), NOW);
    byte[] whole = Files.readAllBytes(file());
    for (int i = 0; i < whole.length; i += 7) {
      byte[] changed = whole.clone();
      changed[i] ^= 1;
      Files.write(file(), changed);
      assertThatThrownBy(snapshot::read)
          .as("byte %d", i)
          .isInstanceOf(ConfigException.class)
          .hasMessageStartingWith(file() + ": is ");
      Files.write(file(), Arrays.copyOf(whole, i));
      assertThatThrownBy(snapshot::read).as("length %d", i).isInstanceOf(ConfigException.class);
    }
    Files.write(file(), whole);
    assertThat(snapshot.read()).isPresent();
  }

  @Test
  void oneOfANewerProgramIsSaidSo() throws IOException {
    Snapshot snapshot = new Snapshot(folder);
    snapshot.write(stored(7), NOW);
    Files.writeString(
        file(),
        Files.readString(file()).replace("# weir configuration 1", "# weir configuration 2"));
    assertThatThrownBy(snapshot::read)
        .hasMessage(file() + ": is of a newer program: its format is 2");
  }

  @Test
  void oneThatCannotBeWrittenLeavesTheOneBefore() throws IOException {
    Snapshot snapshot = new Snapshot(folder);
    snapshot.write(stored(7), NOW);
    Files.createDirectory(folder.resolve("configuration.snapshot.new"));
    assertThatThrownBy(() -> snapshot.write(stored(8), NOW))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageStartingWith("cannot write " + file());
    assertThat(snapshot.read().orElseThrow().stored().version()).isEqualTo(7);
  }
}
