package dev.weir.control.journal;

import static dev.weir.control.journal.Records.ONLY_BY_FLUSH;
import static dev.weir.control.journal.Records.all;
import static dev.weir.control.journal.Records.append;
import static dev.weir.control.journal.Records.numbers;
import static dev.weir.control.journal.Records.record;
import static dev.weir.control.journal.Records.segments;
import static dev.weir.control.journal.Records.sequences;
import static dev.weir.control.journal.Records.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalAcknowledgeTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void segmentsThatAreWhollyInTheDatabaseAreDeleted() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 2_000);
      assertThat(all(journal, 0)).hasSize(2_000);
      int before = segments(folder).size();
      journal.acknowledge(1_000);

      List<JournalRecord> rest = all(journal, 0);
      long oldest = rest.get(0).sequence();
      assertThat(oldest).isBetween(900L, 1_001L);
      assertThat(sequences(rest)).isEqualTo(numbers(oldest, 2_000));
      assertThat(texts(rest)).isEqualTo(texts(oldest, 2_000));
      assertThat(segments(folder)).hasSizeBetween(before / 3, 2 * before / 3);
      assertThat(journal.statistics().oldestUnread()).isEqualTo(1_001);
      assertThat(journal.statistics().bytesOnDisk()).isEqualTo(bytesOnDisk());
      assertThat(journal.statistics().damaged()).isZero();
    }
  }

  private long bytesOnDisk() throws Exception {
    long bytes = 0;
    for (Path file : segments(folder)) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  @Test
  void deletedRecordsAreNotSeenAgainAfterReopening() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 1_000);
      all(journal, 0);
      journal.acknowledge(1_000);
    }
    assertThat(segments(folder)).hasSize(1);
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      assertThat(all(journal, 0)).allMatch(record -> record.sequence() > 900);
      append(journal, 1_001, 1_200);
      assertThat(texts(all(journal, 1_000))).isEqualTo(texts(1_001, 1_200));
    }
  }

  @Test
  void theSequenceGoesOnWhenNothingIsLeft() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 1_000);
    }
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH, id -> 1_500)) {
      assertThat(all(journal, 1_500)).isEmpty();
    }
    assertThat(segments(folder)).hasSize(1).first().satisfies(f -> assertThat(f).isEmptyFile());
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1_501, 1_502);
      assertThat(sequences(all(journal, 0))).containsExactly(1_501L, 1_502L);
    }
  }

  @Test
  void whoReadsOnWhileSegmentsAreDeletedMissesNothing() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 3_000);
      long last = 0;
      while (last < 3_000) {
        List<JournalRecord> batch = journal.read(last, 97, 1 << 20, Duration.ZERO);
        assertThat(texts(batch)).isEqualTo(texts(last + 1, last + batch.size()));
        assertThat(batch).isNotEmpty();
        last += batch.size();
        journal.acknowledge(last);
      }
      assertThat(segments(folder)).hasSize(1);
    }
  }

  @Test
  void aLowerSequenceThanBeforeChangesNothing() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 1_000);
      all(journal, 0);
      journal.acknowledge(500);
      journal.acknowledge(0);
      assertThat(journal.statistics().oldestUnread()).isEqualTo(501);
    }
  }

  @Test
  void whatWasNeverReadCannotBeAcknowledged() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 10);
      assertThat(journal.read(0, 4, 1_000, Duration.ZERO)).hasSize(4);
      assertThatThrownBy(() -> journal.acknowledge(5))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("sequence must be between 0 and 4, the last that was read, got 5");
      journal.acknowledge(4);
    }
  }

  @Test
  void theDatabaseMayBeAheadOfWhatWasAcknowledged() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 1_000);
      all(journal, 0);
      journal.acknowledge(300);
    }
    AtomicReference<UUID> asked = new AtomicReference<>();
    try (Journal journal =
        Journal.open(
            folder,
            ONLY_BY_FLUSH,
            id -> {
              asked.set(id);
              return 700;
            })) {
      assertThat(asked.get()).isEqualTo(journal.id());
      assertThat(journal.statistics().oldestUnread()).isEqualTo(701);
      assertThat(texts(all(journal, 700))).isEqualTo(texts(701, 1_000));
    }
  }

  @Test
  void aFolderThatWasPutBackNumbersAboveWhatTheDatabaseHas() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 100);
    }
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH, id -> 5_000)) {
      assertThat(journal.statistics().oldestUnread()).isEqualTo(5_001);
      assertThat(all(journal, 5_000)).isEmpty();
      journal.append(record("new"));
      journal.flush();
      assertThat(sequences(all(journal, 5_000))).containsExactly(5_001L);
      assertThat(journal.statistics().damaged()).isZero();
    }
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      assertThat(journal.statistics().lastSynced()).isEqualTo(5_001);
    }
  }

  @Test
  void aNewFolderNumbersAboveWhatTheDatabaseHas() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH, id -> 70)) {
      append(journal, 71, 72);
      assertThat(texts(all(journal, 70))).isEqualTo(texts(71, 72));
    }
  }

  @Test
  void aFolderThatWasPutBackIsFoundOutWhenTheDatabaseIsAskedLater() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 100);
    }
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      // More than the database has: without care, it would seem to have those up to 150.
      append(journal, 101, 300);
      assertThatThrownBy(() -> journal.read(150, 10, 1_000, Duration.ZERO))
          .isInstanceOf(JournalException.class)
          .hasMessage(
              "journal %s: the database has record 150, but none above 100 was ever read; if an old"
                      .formatted(folder)
                  + " copy of the folder was put back, open it again while the database can be"
                  + " asked");
    }
  }

  @Test
  void aDatabaseThatHasLessThanNothingIsAMistake() throws Exception {
    assertThatThrownBy(() -> Journal.open(folder, ONLY_BY_FLUSH, id -> -1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("known sequence must be at least 0, got -1");
    // And the folder is free.
    Journal.open(folder, ONLY_BY_FLUSH).close();
  }
}
