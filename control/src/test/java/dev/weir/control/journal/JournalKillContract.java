package dev.weir.control.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that is killed at any moment loses nothing of what it had flushed, and doubles nothing.
 */
abstract class JournalKillContract {
  private final int kills;

  private final long seed =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
  private final SplittableRandom random = new SplittableRandom(seed);

  @TempDir Path folder = Path.of("");

  /** What the processes read, by sequence. */
  private final Map<Long, String> readByChild = new HashMap<>();

  /** What this test has read, by sequence; it acts as the database. */
  private final TreeMap<Long, String> database = new TreeMap<>();

  private final Map<Integer, Integer> flushedByRun = new HashMap<>();

  JournalKillContract(int kills) {
    this.kills = kills;
  }

  /** Lets some time pass between the last line that is read and the kill. */
  void beforeKill(SplittableRandom random) {}

  @Test
  void nothingThatWasFlushedIsLostAndNothingIsThereTwice() throws Exception {
    for (int run = 0; run < kills; run++) {
      useAndKill(run);
      takeOver();
    }
    check();
  }

  private void useAndKill(int run) throws IOException {
    long inDatabase = database.isEmpty() ? 0 : database.lastKey();
    Process process = ChildJournal.start(folder, run, inDatabase);
    try (BufferedReader lines = process.inputReader()) {
      for (int left = 1 + random.nextInt(200); left > 0; left--) {
        note(run, lines.readLine());
      }
      beforeKill(random);
      // By its handle: else what it has said is lost with its streams.
      process.toHandle().destroyForcibly();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        note(run, line);
      }
    } finally {
      process.destroyForcibly().onExit().join();
    }
  }

  private void note(int run, String line) {
    assertThat(line).as("seed %d: the process has ended", seed).isNotNull();
    String[] words = line.split(" ", -1);
    switch (words[0]) {
      case "flushed" -> flushedByRun.put(run, Integer.parseInt(words[1]));
      case "read" -> {
        String before = readByChild.put(Long.parseLong(words[1]), words[2]);
        assertThat(before).as("seed %d: %s", seed, line).isIn(null, words[2]);
      }
      default -> throw new AssertionError("seed %d: %s".formatted(seed, line));
    }
  }

  /** Reads what is new into the database, and compares what was read before. */
  private void takeOver() throws InterruptedException {
    long known = database.isEmpty() ? 0 : database.lastKey();
    try (Journal journal = Journal.open(folder, ChildJournal.OPTIONS)) {
      List<JournalRecord> all = Records.all(journal, 0);
      for (JournalRecord record : all) {
        String text = Records.text(record).strip();
        String before = database.put(record.sequence(), text);
        assertThat(before).as("seed %d", seed).isIn(null, text);
        assertThat(before == null).isEqualTo(record.sequence() > known);
      }
      if (random.nextBoolean()) {
        journal.acknowledge(database.lastKey());
      }
      assertThat(journal.statistics().damaged()).as("seed %d", seed).isZero();
    }
  }

  private void check() {
    // No sequence is left out.
    assertThat(database.firstKey()).isEqualTo(1);
    assertThat(database.lastKey()).isEqualTo(database.size());
    // Of each run a first part, in its order.
    Map<Integer, Integer> present = new HashMap<>();
    Set<String> seen = new HashSet<>();
    for (String text : database.values()) {
      assertThat(seen.add(text)).as("seed %d: %s", seed, text).isTrue();
      int colon = text.indexOf(':');
      int run = Integer.parseInt(text.substring(0, colon));
      int number = Integer.parseInt(text.substring(colon + 1));
      assertThat(number).as("seed %d", seed).isEqualTo(present.getOrDefault(run, 0));
      present.put(run, number + 1);
    }
    flushedByRun.forEach(
        (run, flushed) ->
            assertThat(present.getOrDefault(run, 0))
                .as("seed %d, run %d", seed, run)
                .isGreaterThanOrEqualTo(flushed));
    assertThat(flushedByRun).as("seed %d", seed).hasSizeGreaterThan(kills / 2);
    assertThat(readByChild).as("seed %d", seed).isNotEmpty();
    // What a process read and would have put into a database is what is there.
    readByChild.forEach(
        (sequence, text) -> assertThat(database).as("seed %d", seed).containsEntry(sequence, text));
  }
}
