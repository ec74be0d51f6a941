package dev.weir.control.journal;

import static dev.weir.control.journal.Records.ONLY_BY_FLUSH;
import static dev.weir.control.journal.Records.all;
import static dev.weir.control.journal.Records.append;
import static dev.weir.control.journal.Records.record;
import static dev.weir.control.journal.Records.segments;
import static dev.weir.control.journal.Records.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder in the place of the next segment keeps the writer from going on. */
class JournalFailureTest {
  private static final JournalOptions OPTIONS = ONLY_BY_FLUSH.withMostWaitingRecords(100);

  /** Needs a segment for itself. */
  private static final byte[] LONG = new byte[4_000];

  @TempDir private Path folder = Path.of("");

  private Path inTheWay(long sequence) throws IOException {
    return Files.createDirectory(folder.resolve("%019d.journal".formatted(sequence)));
  }

  @Test
  void whatCannotBeWrittenWaitsUntilItCan() throws Exception {
    try (Journal journal = Journal.open(folder, OPTIONS)) {
      append(journal, 1, 20);
      Path obstacle = inTheWay(21);
      assertThat(journal.append(LONG)).isTrue();
      assertThat(journal.append(record("behind"))).isTrue();

      assertThatThrownBy(journal::flush)
          .isInstanceOf(JournalException.class)
          .hasMessageStartingWith("journal " + folder + " cannot be written, 2 records wait: ")
          .hasMessageContaining("FileSystemException");
      JournalStatistics statistics = journal.statistics();
      assertThat(statistics.isFailing()).isTrue();
      assertThat(statistics.lastFailure()).get().asString().contains(obstacle.toString());
      assertThat(statistics.waitingRecords()).isEqualTo(2);
      assertThat(all(journal, 0)).hasSize(20);

      Files.delete(obstacle);
      journal.flush();
      // The records are safe a moment before the writer says that all is well.
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> !journal.statistics().isFailing());
      assertThat(journal.statistics().lastFailure()).isPresent();
      assertThat(journal.statistics().allDropped()).isZero();
      List<JournalRecord> read = all(journal, 20);
      assertThat(read.get(0).payload()).isEqualTo(LONG);
      assertThat(texts(read.subList(1, 2))).containsExactly("behind");
    }
  }

  @Test
  void itIsTriedAgainAtEveryInterval() throws Exception {
    try (Journal journal = Journal.open(folder, OPTIONS.withSyncInterval(Duration.ofMillis(10)))) {
      append(journal, 1, 20);
      assertThat(all(journal, 0)).hasSize(20);
      Path obstacle = inTheWay(21);
      journal.append(LONG);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> journal.statistics().isFailing());
      Files.delete(obstacle);

      assertThat(journal.read(20, 10, 10_000, Duration.ofSeconds(30))).hasSize(1);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> !journal.statistics().isFailing());
    }
  }

  @Test
  void whatFindsNoRoomInMemoryMeanwhileIsTheDisksFault() throws Exception {
    try (Journal journal = Journal.open(folder, OPTIONS)) {
      append(journal, 1, 20);
      Path obstacle = inTheWay(21);
      journal.append(LONG);
      assertThatThrownBy(journal::flush).isInstanceOf(JournalException.class);
      for (int i = 0; i < 150; i++) {
        assertThat(journal.append(record("r" + i))).isEqualTo(i < 99);
      }
      assertThat(journal.statistics().dropped()).containsEntry(DropCause.DISK_FAILED, 51L);
      assertThat(journal.statistics().allDropped()).isEqualTo(51);

      Files.delete(obstacle);
      journal.flush();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < 99; i++) {
        expected.add("r" + i);
      }
      assertThat(texts(all(journal, 0)).subList(21, 120)).isEqualTo(expected);
    }
  }

  @Test
  void whatCannotBeWrittenAtTheEndIsCounted() throws Exception {
    Journal journal = Journal.open(folder, OPTIONS);
    append(journal, 1, 20);
    Path obstacle = inTheWay(21);
    journal.append(LONG);
    journal.append(LONG);
    journal.close();

    assertThat(journal.statistics().dropped()).containsEntry(DropCause.DISK_FAILED, 2L);
    assertThat(journal.statistics().waitingRecords()).isZero();
    Files.delete(obstacle);
    try (Journal again = Journal.open(folder, OPTIONS)) {
      assertThat(texts(all(again, 0))).isEqualTo(texts(all(again, 0)).subList(0, 20));
      append(again, 21, 30);
      assertThat(texts(all(again, 0))).isEqualTo(Records.texts(1, 30));
    }
  }

  /** An interrupt closes the file that a thread writes to. */
  @Test
  void anInterruptedWriterGoesOn() throws Exception {
    try (Journal journal = Journal.open(folder, OPTIONS.withSyncInterval(Duration.ofMillis(1)))) {
      List<String> taken = new ArrayList<>();
      Thread writer = writer();
      for (int i = 0; i < 2_000; i++) {
        if (i % 50 == 0) {
          writer.interrupt();
        }
        String text = "record " + i;
        if (journal.append(record(text))) {
          taken.add(text);
        }
        if (i % 100 == 99) {
          Awaitility.await()
              .atMost(Duration.ofSeconds(60))
              .until(() -> journal.statistics().waitingRecords() == 0);
        }
      }

      assertThat(texts(all(journal, 0))).isEqualTo(taken);
      assertThat(journal.statistics().damaged()).isZero();
    }
  }

  private static Thread writer() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("weir-journal"))
        .findAny()
        .orElseThrow();
  }

  @Test
  void anInterruptedReaderCanReadAgain() throws Exception {
    try (Journal journal = Journal.open(folder, OPTIONS)) {
      append(journal, 1, 90);
      assertThat(journal.read(0, 10, 1_000, Duration.ZERO)).hasSize(10);
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> journal.read(10, 10, 1_000, Duration.ZERO))
          .isInstanceOf(JournalException.class)
          .hasMessage("journal " + folder + " cannot be read after record 10");
      assertThat(Thread.interrupted()).isTrue();

      assertThat(texts(all(journal, 10))).isEqualTo(Records.texts(11, 90));
    }
  }

  @Test
  void aSegmentThatIsGoneFailsTheRead() throws Exception {
    try (Journal journal = Journal.open(folder, OPTIONS)) {
      append(journal, 1, 90);
      append(journal, 91, 180);
      Files.delete(segments(folder).get(1));
      long first = journal.read(0, 10, 1_000, Duration.ZERO).size();
      assertThat(first).isEqualTo(10);
      assertThatThrownBy(() -> all(journal, 10)).isInstanceOf(JournalException.class);
    }
  }

  @Test
  void aCloseThatIsInterruptedStillWrites() throws Exception {
    Journal journal = Journal.open(folder, OPTIONS);
    journal.append(record("last"));
    Thread.currentThread().interrupt();
    journal.close();
    assertThat(Thread.interrupted()).isTrue();

    try (Journal again = Journal.open(folder, OPTIONS)) {
      assertThat(texts(all(again, 0))).containsExactly("last");
    }
  }
}
