package dev.weir.control.journal;

import static dev.weir.control.journal.Records.ONLY_BY_FLUSH;
import static dev.weir.control.journal.Records.all;
import static dev.weir.control.journal.Records.append;
import static dev.weir.control.journal.Records.numbers;
import static dev.weir.control.journal.Records.record;
import static dev.weir.control.journal.Records.segments;
import static dev.weir.control.journal.Records.sequences;
import static dev.weir.control.journal.Records.text;
import static dev.weir.control.journal.Records.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir private Path folder = Path.of("");

  @Test
  void recordsComeBackInTheirOrderOverManySegments() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 5_000);

      List<JournalRecord> read = all(journal, 0);
      assertThat(sequences(read)).isEqualTo(numbers(1, 5_000));
      assertThat(texts(read)).isEqualTo(texts(1, 5_000));
    }
    assertThat(segments(folder)).hasSizeGreaterThan(40);
    assertThat(segments(folder)).allSatisfy(file -> assertThat(Files.size(file)).isLessThan(4_097));
  }

  @Test
  void readsFromAnywhere() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 1_000);
      assertThat(all(journal, 0)).hasSize(1_000);

      for (long after : new long[] {999, 0, 500, 501, 17, 1_000}) {
        assertThat(texts(all(journal, after))).isEqualTo(texts(after + 1, 1_000));
      }
    }
  }

  @Test
  void aReopenedJournalGoesOnWithItsSequenceAndItsId() throws Exception {
    UUID id;
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      id = journal.id();
      append(journal, 1, 300);
    }
    for (int i = 3; i < 10; i++) {
      try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
        assertThat(journal.id()).isEqualTo(id);
        assertThat(journal.statistics().lastSynced()).isEqualTo(i * 100L);
        append(journal, i * 100L + 1, i * 100L + 100);
      }
    }
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      List<JournalRecord> read = all(journal, 0);
      assertThat(sequences(read)).isEqualTo(numbers(1, 1_000));
      assertThat(texts(read)).isEqualTo(texts(1, 1_000));
    }
  }

  @Test
  void closeWritesWhatWaits() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      journal.append(record("waits"));
    }
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      assertThat(texts(all(journal, 0))).containsExactly("waits");
    }
  }

  @Test
  void onlyWhatIsSyncedIsRead() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 10);
      assertThat(journal.append(record("later"))).isTrue();

      assertThat(all(journal, 0)).hasSize(10);
      assertThat(journal.statistics().waitingRecords()).isEqualTo(1);
      journal.flush();
      assertThat(texts(all(journal, 10))).containsExactly("later");
      assertThat(journal.statistics().waitingRecords()).isZero();
    }
  }

  @Test
  void recordsAreSyncedAtTheIntervalWithoutBeingAsked() throws Exception {
    JournalOptions options = JournalOptions.defaults().withSyncInterval(Duration.ofMillis(20));
    try (Journal journal = Journal.open(folder, options)) {
      for (int i = 1; i <= 5; i++) {
        assertThat(journal.append(record("r" + i))).isTrue();
        assertThat(texts(journal.read(i - 1, 10, 100, LONG))).containsExactly("r" + i);
      }
    }
  }

  @Test
  void aBatchHasNoMoreRecordsThanWanted() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 300);

      assertThat(sequences(journal.read(0, 7, 1 << 20, Duration.ZERO))).isEqualTo(numbers(1, 7));
      assertThat(sequences(journal.read(7, 1, 1 << 20, Duration.ZERO))).isEqualTo(numbers(8, 8));
      assertThat(sequences(journal.read(8, 250, 1 << 20, Duration.ZERO)))
          .isEqualTo(numbers(9, 258));
    }
  }

  @Test
  void aBatchHasNoMoreBytesThanWantedButAtLeastOneRecord() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      for (int bytes : new int[] {10, 20, 30, 500, 10}) {
        journal.append(new byte[bytes]);
      }
      journal.flush();

      assertThat(sequences(journal.read(0, 9, 59, Duration.ZERO))).containsExactly(1L, 2L);
      assertThat(sequences(journal.read(2, 9, 59, Duration.ZERO))).containsExactly(3L);
      assertThat(sequences(journal.read(3, 9, 59, Duration.ZERO))).containsExactly(4L);
      assertThat(sequences(journal.read(4, 9, 59, Duration.ZERO))).containsExactly(5L);
      assertThat(sequences(journal.read(0, 9, 60, Duration.ZERO))).containsExactly(1L, 2L, 3L);
    }
  }

  @Test
  void recordsMayBeEmptyOrLongerThanASegment() throws Exception {
    byte[] longest = new byte[65_536];
    longest[65_535] = 1;
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      journal.append(new byte[0]);
      journal.append(longest);
      journal.append(longest);
      journal.append(record("short"));
      journal.flush();

      List<JournalRecord> read = all(journal, 0);
      assertThat(read).extracting(JournalRecord::payload).element(0).isEqualTo(new byte[0]);
      assertThat(read.get(1).payload()).isEqualTo(longest);
      assertThat(read.get(2).payload()).isEqualTo(longest);
      assertThat(text(read.get(3))).isEqualTo("short");
    }
    assertThat(segments(folder)).hasSize(4);
  }

  @Test
  void aRecordThatIsTooLongIsAMistake() {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      assertThatThrownBy(() -> journal.append(new byte[65_537]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("record must have at most 65536 bytes, got 65537");
    }
  }

  @Test
  void whoReadsWaitsForMore() throws Exception {
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      Future<List<JournalRecord>> read = thread.submit(() -> journal.read(0, 10, 100, LONG));
      assertThat(read.isDone()).isFalse();
      append(journal, 1, 1);

      assertThat(texts(read.get())).isEqualTo(texts(1, 1));
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void whoWaitedInVainGetsNothing() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      assertThat(journal.read(0, 10, 100, Duration.ofMillis(1))).isEmpty();
    }
  }

  @Test
  void whoWaitsWhileItIsClosedGetsNothing() throws Exception {
    Journal journal = Journal.open(folder, ONLY_BY_FLUSH);
    CompletableFuture<Thread> reader = new CompletableFuture<>();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<List<JournalRecord>> read =
          thread.submit(
              () -> {
                reader.complete(Thread.currentThread());
                return journal.read(0, 10, 100, LONG);
              });
      Thread waiting = reader.get();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
      journal.close();

      assertThat(read.get()).isEmpty();
    } finally {
      thread.shutdownNow();
    }
  }

  @Test
  void whatComesAfterTheEndIsCounted() throws Exception {
    Journal journal = Journal.open(folder, ONLY_BY_FLUSH);
    append(journal, 1, 5);
    journal.close();
    journal.close();

    assertThat(journal.append(record("late"))).isFalse();
    assertThat(journal.statistics().dropped()).containsEntry(DropCause.CLOSED, 1L);
    assertThat(journal.statistics().allDropped()).isEqualTo(1);
    assertThatThrownBy(() -> journal.read(0, 1, 1, Duration.ZERO))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("journal " + folder + " is closed");
    assertThatThrownBy(() -> journal.acknowledge(1)).isInstanceOf(IllegalStateException.class);
    journal.flush();
  }

  @Test
  void theFirstUseMakesTheFolder() throws Exception {
    Path deep = folder.resolve("a").resolve("b");
    try (Journal journal = Journal.open(deep, ONLY_BY_FLUSH)) {
      assertThat(journal.statistics().lastSynced()).isZero();
      assertThat(journal.statistics().oldestUnread()).isEqualTo(1);
      assertThat(deep.resolve("id")).content().isEqualTo("weir-journal 1 " + journal.id() + "\n");
    }
  }

  @Test
  void aFolderThatCannotBeMadeIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThatThrownBy(() -> Journal.open(file, ONLY_BY_FLUSH))
        .isInstanceOf(JournalException.class)
        .hasMessageStartingWith("journal " + file + " cannot be opened: ")
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void recordsWithoutTheirIdAreNotTakenForNewOnes() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 5);
    }
    Files.delete(folder.resolve("id"));

    assertThatThrownBy(() -> Journal.open(folder, ONLY_BY_FLUSH))
        .isInstanceOf(JournalException.class)
        .hasMessageStartingWith("journal " + folder + " has records but no file \"id\"");
  }

  @Test
  void anIdThatIsNoneIsRefused() throws Exception {
    Journal.open(folder, ONLY_BY_FLUSH).close();
    for (String wrong : List.of("", "weir-journal 2 " + UUID.randomUUID(), "weir-journal 1 x")) {
      Files.writeString(folder.resolve("id"), wrong);
      assertThatThrownBy(() -> Journal.open(folder, ONLY_BY_FLUSH))
          .isInstanceOf(JournalException.class)
          .hasMessage(
              folder.resolve("id")
                  + " must be \"weir-journal 1\" and an id, got \""
                  + wrong
                  + "\"");
    }
  }

  @Test
  void otherFilesInTheFolderAreLeftAlone() throws Exception {
    for (String name : List.of("readme.txt", "1.journal", "9999999999999999999.journal")) {
      Files.writeString(folder.resolve(name), "mine");
    }
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      append(journal, 1, 500);
      assertThat(all(journal, 0)).hasSize(500);
      journal.acknowledge(500);
    }
    assertThat(folder.resolve("readme.txt")).hasContent("mine");
    assertThat(folder.resolve("1.journal")).hasContent("mine");
  }

  @Test
  void aSecondOpenerIsRefused() throws Exception {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      assertThatThrownBy(() -> Journal.open(folder.resolve("."), ONLY_BY_FLUSH))
          .isInstanceOf(JournalException.class)
          .hasMessage("journal " + folder.toRealPath() + " is already open in this process");
      append(journal, 1, 3);
    }
    Journal.open(folder, ONLY_BY_FLUSH).close();
  }

  @Test
  void wrongArgumentsOfAReadAreNamed() {
    try (Journal journal = Journal.open(folder, ONLY_BY_FLUSH)) {
      assertThatThrownBy(() -> journal.read(-1, 1, 1, Duration.ZERO))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("afterSequence must be at least 0, got -1");
      assertThatThrownBy(() -> journal.read(0, 0, 1, Duration.ZERO))
          .hasMessage("mostRecords must be at least 1, got 0");
      assertThatThrownBy(() -> journal.read(0, 1, 0, Duration.ZERO))
          .hasMessage("mostBytes must be at least 1, got 0");
    }
  }
}
