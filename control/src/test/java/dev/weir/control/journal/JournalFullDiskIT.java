package dev.weir.control.journal;

import static dev.weir.control.journal.Records.all;
import static dev.weir.control.journal.Records.numbers;
import static dev.weir.control.journal.Records.record;
import static dev.weir.control.journal.Records.sequences;
import static dev.weir.control.journal.Records.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.process.SmallDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a file system in memory that is really full; whoever may not mount one skips this. */
class JournalFullDiskIT {
  private static final JournalOptions OPTIONS =
      JournalOptions.defaults()
          .withSyncInterval(Duration.ofMillis(5))
          .withSegmentBytes(64 << 10)
          .withMostWaitingRecords(500);

  @TempDir private Path folder = Path.of("");
  private Path disk = Path.of("");
  private @Nullable SmallDisk mounted;

  private final List<String> taken = new ArrayList<>();

  @BeforeEach
  void mount() throws Exception {
    mounted = SmallDisk.mount(folder.resolve("disk"), "1m");
    disk = mounted.path();
  }

  @AfterEach
  void unmount() {
    if (mounted != null) {
      mounted.close();
    }
  }

  private void append(Journal journal) {
    String text = "record %d %s".formatted(taken.size(), "-".repeat(taken.size() % 300));
    if (journal.append(record(text))) {
      taken.add(text);
    }
  }

  /** Appends until the disk is full and as much waits as may. */
  private void fill(Journal journal) {
    long before = dropped(journal);
    Awaitility.await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              for (int i = 0; i < 400; i++) {
                append(journal);
              }
              return dropped(journal) > before;
            });
  }

  private static long dropped(Journal journal) {
    return journal.statistics().dropped(DropCause.DISK_FULL);
  }

  @Test
  void worksAgainAsSoonAsThereIsRoom() throws Exception {
    Path other = disk.resolve("other");
    try (Journal journal = Journal.open(disk.resolve("journal"), OPTIONS)) {
      Files.write(other, new byte[700_000]);
      fill(journal);
      JournalStatistics full = journal.statistics();
      assertThat(full.isFailing()).isTrue();
      assertThat(full.lastFailure()).get().asString().contains("No space left on device");
      assertThat(full.waitingRecords()).isBetween(1L, 500L);
      assertThatThrownBy(journal::flush)
          .isInstanceOf(JournalException.class)
          .hasMessageContaining("records wait")
          .hasMessageContaining("No space left on device");
      List<String> synced = texts(all(journal, 0));
      assertThat(synced).isNotEmpty().isEqualTo(taken.subList(0, synced.size()));

      Files.delete(other);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> !journal.statistics().isFailing());
      append(journal);
      journal.flush();
      check(journal);
    }
    try (Journal journal = Journal.open(disk.resolve("journal"), OPTIONS)) {
      check(journal);
    }
  }

  private void check(Journal journal) throws InterruptedException {
    List<JournalRecord> read = all(journal, 0);
    assertThat(sequences(read)).isEqualTo(numbers(1, taken.size()));
    assertThat(texts(read)).isEqualTo(taken);
    assertThat(journal.statistics().damaged()).isZero();
  }

  @Test
  void theRoomOfWhatIsAcknowledgedIsUsed() throws Exception {
    List<String> read = new ArrayList<>();
    try (Journal journal = Journal.open(disk.resolve("journal"), OPTIONS)) {
      for (int round = 0; round < 5; round++) {
        fill(journal);
        do {
          List<JournalRecord> batch =
              journal.read(read.size(), 1_000, 1 << 20, Duration.ofSeconds(30));
          assertThat(sequences(batch))
              .isEqualTo(numbers(read.size() + 1, read.size() + batch.size()));
          read.addAll(texts(batch));
          journal.acknowledge(read.size());
        } while (read.size() < taken.size());
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> !journal.statistics().isFailing());
      }
    }
    assertThat(read).isEqualTo(taken);
  }

  @Test
  void aHalfRecordOfAFullDiskIsNotInTheWayOfTheNextProcess() throws Exception {
    Path place = disk.resolve("journal");
    Journal journal = Journal.open(place, OPTIONS);
    fill(journal);
    journal.close();
    JournalStatistics end = journal.statistics();
    int synced = (int) end.lastSynced();
    assertThat(end.dropped(DropCause.DISK_FULL)).isGreaterThan(taken.size() - synced);

    try (Journal again = Journal.open(place, OPTIONS)) {
      // Records that were written before there was no room, but not synced, may be there too.
      List<String> there = texts(all(again, 0));
      assertThat(there)
          .hasSizeGreaterThanOrEqualTo(synced)
          .isEqualTo(taken.subList(0, there.size()));
      again.acknowledge(there.size());
      assertThat(again.append(record("next"))).isTrue();
      again.flush();
      assertThat(sequences(all(again, there.size()))).containsExactly(there.size() + 1L);
      assertThat(again.statistics().damaged()).isZero();
    }
  }
}
