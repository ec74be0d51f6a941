package dev.weir.control.journal;

import static dev.weir.control.journal.Records.all;
import static dev.weir.control.journal.Records.numbers;
import static dev.weir.control.journal.Records.record;
import static dev.weir.control.journal.Records.sequences;
import static dev.weir.control.journal.Records.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.TestLevel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalConcurrencyTest {
  private static final int THREADS = 8;
  private static final int EACH = TestLevel.amount("weir.control.journal.records", 5_000, 20_000);
  private static final JournalOptions OPTIONS =
      JournalOptions.defaults().withSyncInterval(Duration.ofMillis(5)).withSegmentBytes(64 << 10);

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);

  @TempDir private Path folder = Path.of("");

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** Each thread appends until all of its own are taken; says how often one was not. */
  private List<Future<Long>> appendAll(Journal journal) {
    CountDownLatch start = new CountDownLatch(THREADS);
    List<Future<Long>> appends = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      String name = "t" + thread + "-";
      appends.add(
          threads.submit(
              () -> {
                start.countDown();
                start.await();
                long refused = 0;
                for (int i = 0; i < EACH; i++) {
                  byte[] record = record(name + i);
                  while (!journal.append(record)) {
                    refused++;
                    Thread.onSpinWait();
                  }
                }
                return refused;
              }));
    }
    return appends;
  }

  /** Every record once, those of each thread in their order, and no sequence is left out. */
  private static void check(List<JournalRecord> read) {
    assertThat(sequences(read)).isEqualTo(numbers(1, (long) THREADS * EACH));
    int[] next = new int[THREADS];
    for (String text : texts(read)) {
      int dash = text.indexOf('-');
      int thread = Integer.parseInt(text.substring(1, dash));
      assertThat(Integer.parseInt(text.substring(dash + 1))).isEqualTo(next[thread]++);
    }
    assertThat(next).containsOnly(EACH);
  }

  @Test
  void whatManyThreadsAppendIsThereExactlyOnce() throws Exception {
    try (Journal journal = Journal.open(folder, OPTIONS)) {
      long refused = 0;
      for (Future<Long> append : appendAll(journal)) {
        refused += append.get();
      }
      journal.flush();
      assertThat(journal.statistics().allDropped()).isEqualTo(refused);
      check(all(journal, 0));
    }
    try (Journal journal = Journal.open(folder, OPTIONS)) {
      check(all(journal, 0));
    }
  }

  @Test
  void aRingThatIsAlwaysFullLosesNothingThatItTook() throws Exception {
    try (Journal journal = Journal.open(folder, OPTIONS.withMostWaitingRecords(1_000))) {
      Future<List<JournalRecord>> reader = threads.submit(() -> readAll(journal));
      long refused = 0;
      for (Future<Long> append : appendAll(journal)) {
        refused += append.get();
      }
      check(reader.get());
      assertThat(refused).isPositive();
      assertThat(journal.statistics().dropped()).containsEntry(DropCause.MEMORY_FULL, refused);
    }
  }

  /** Reads and acknowledges while others append. */
  private static List<JournalRecord> readAll(Journal journal) throws InterruptedException {
    List<JournalRecord> read = new ArrayList<>();
    while (read.size() < THREADS * EACH) {
      List<JournalRecord> batch = journal.read(read.size(), 777, 1 << 20, Duration.ofSeconds(30));
      assertThat(batch).isNotEmpty();
      read.addAll(batch);
      journal.acknowledge(read.size());
    }
    return read;
  }

  @Test
  void flushesOfManyThreadsEachSeeTheirOwnRecord() throws Exception {
    try (Journal journal = Journal.open(folder, OPTIONS.withSyncInterval(Duration.ofSeconds(60)))) {
      List<Future<Long>> flushes = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        flushes.add(
            threads.submit(
                () -> {
                  long flushed = 0;
                  for (int i = 0; i < 20; i++) {
                    assertThat(journal.append(new byte[100])).isTrue();
                    journal.flush();
                    flushed++;
                    assertThat(journal.statistics().lastSynced()).isGreaterThanOrEqualTo(flushed);
                  }
                  return flushed;
                }));
      }
      for (Future<Long> flush : flushes) {
        assertThat(flush.get()).isEqualTo(20);
      }
      assertThat(journal.statistics().lastSynced()).isEqualTo(THREADS * 20L);
      assertThat(journal.statistics().waitingRecords()).isZero();
    }
  }

  @Test
  void whatIsTakenWhileItIsClosedIsThere() throws Exception {
    for (int round = 0; round < 20; round++) {
      Path place = folder.resolve("round-" + round);
      Journal journal = Journal.open(place, OPTIONS);
      List<Future<Long>> appends = new ArrayList<>();
      CountDownLatch running = new CountDownLatch(THREADS);
      for (int thread = 0; thread < THREADS; thread++) {
        appends.add(
            threads.submit(
                () -> {
                  long taken = 0;
                  while (journal.append(new byte[8])) {
                    taken++;
                    running.countDown();
                  }
                  running.countDown();
                  return taken;
                }));
      }
      running.await();
      journal.close();
      long taken = 0;
      for (Future<Long> append : appends) {
        taken += append.get();
      }
      try (Journal again = Journal.open(place, OPTIONS)) {
        assertThat(all(again, 0)).hasSize((int) taken);
      }
    }
  }
}
