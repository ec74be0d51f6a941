package dev.weir.control.journal;

import static dev.weir.control.journal.Records.all;
import static dev.weir.control.journal.Records.sequences;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalBoundsTest {
  private static final long MOST_BYTES = 300_000;
  private static final JournalOptions SMALL = Records.ONLY_BY_FLUSH.withMostBytesOnDisk(MOST_BYTES);

  @TempDir private Path folder = Path.of("");

  /** Appends until there is no room; says how many were taken. */
  private static int fill(Journal journal, int bytes) {
    int taken = 0;
    while (journal.append(new byte[bytes])) {
      taken++;
    }
    return taken;
  }

  @Test
  void aJournalThatIsLongEnoughTakesNoMore() throws Exception {
    try (Journal journal = Journal.open(folder, SMALL)) {
      int taken = fill(journal, 984);
      assertThat(taken).isEqualTo((int) (MOST_BYTES / 1_000));
      assertThat(journal.append(new byte[984])).isFalse();
      journal.flush();

      JournalStatistics statistics = journal.statistics();
      assertThat(statistics.dropped()).containsEntry(DropCause.DISK_FULL, 2L);
      assertThat(statistics.allDropped()).isEqualTo(2);
      assertThat(statistics.bytesOnDisk()).isEqualTo(taken * 1_000L);
      assertThat(statistics.isFailing()).isFalse();
      assertThat(all(journal, 0)).hasSize(taken);
      // What is smaller than what is left finds room.
      assertThat(MOST_BYTES - statistics.bytesOnDisk()).isZero();
    }
  }

  @Test
  void roomThatAnAcknowledgementMakesIsUsedAgain() throws Exception {
    try (Journal journal = Journal.open(folder, SMALL)) {
      long last = 0;
      for (int round = 0; round < 10; round++) {
        int taken = fill(journal, 984);
        assertThat(taken).as("round %d", round).isGreaterThan(290);
        journal.flush();
        List<JournalRecord> read = all(journal, last);
        assertThat(sequences(read)).isEqualTo(Records.numbers(last + 1, last + taken));
        last += taken;
        journal.acknowledge(last);
      }
      assertThat(journal.statistics().dropped()).containsEntry(DropCause.DISK_FULL, 10L);
      assertThat(journal.statistics().damaged()).isZero();
    }
  }

  @Test
  void theLongestRecordFindsRoomInTheSmallestJournal() throws Exception {
    JournalOptions smallest =
        Records.ONLY_BY_FLUSH.withSegmentBytes(4_096).withMostBytesOnDisk(4_096 + (256 << 10));
    try (Journal journal = Journal.open(folder, smallest)) {
      long last = 0;
      for (int round = 0; round < 10; round++) {
        int taken = fill(journal, 65_536);
        assertThat(taken).as("round %d", round).isPositive();
        journal.flush();
        assertThat(all(journal, last)).hasSize(taken);
        last += taken;
        journal.acknowledge(last);
      }
    }
  }

  @Test
  void theBoundHoldsForWhatAnEarlierProcessLeft() throws Exception {
    try (Journal journal = Journal.open(folder, SMALL)) {
      fill(journal, 984);
    }
    try (Journal journal = Journal.open(folder, SMALL)) {
      assertThat(journal.append(new byte[984])).isFalse();
      assertThat(journal.statistics().dropped()).containsEntry(DropCause.DISK_FULL, 1L);
      assertThat(all(journal, 0)).hasSize(300);
      journal.acknowledge(300);
      assertThat(journal.append(new byte[984])).isTrue();
    }
  }

  @Test
  void whatDoesNotFitIntoMemoryIsCounted() throws Exception {
    try (Journal journal = Journal.open(folder, Records.ONLY_BY_FLUSH.withMostWaitingRecords(1))) {
      int taken = fill(journal, 10);
      journal.flush();

      assertThat(journal.statistics().dropped()).containsEntry(DropCause.MEMORY_FULL, 1L);
      assertThat(all(journal, 0)).hasSize(taken);
      assertThat(journal.append(new byte[10])).isTrue();
    }
  }

  @Test
  void recordsThatAreTooManyBytesForMemoryAreCounted() throws Exception {
    JournalOptions options =
        JournalOptions.defaults()
            .withSyncInterval(Duration.ofSeconds(60))
            .withMostWaitingBytes(128 << 10);
    try (Journal journal = Journal.open(folder, options)) {
      // The first one wakes the writer; a bound of two cannot hold against this thread for long.
      int taken = fill(journal, 60_000);
      journal.flush();

      assertThat(journal.statistics().dropped()).containsEntry(DropCause.MEMORY_FULL, 1L);
      assertThat(all(journal, 0)).hasSize(taken);
    }
  }

  @Test
  void manyWaitingRecordsAreWrittenBeforeTheInterval() throws Exception {
    try (Journal journal =
        Journal.open(folder, Records.ONLY_BY_FLUSH.withMostWaitingRecords(1_000))) {
      for (int i = 0; i < 250; i++) {
        assertThat(journal.append(new byte[10])).isTrue();
      }
      assertThat(journal.read(0, 1_000, 1 << 20, Duration.ofSeconds(30))).isNotEmpty();
    }
  }
}
