package dev.weir.control.journal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.TestLevel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal does what a list would do, whatever is asked of it in whatever order. */
class JournalPropertyTest {
  private static final int STEPS = TestLevel.amount("weir.control.journal.steps", 20_000, 100_000);

  @Test
  void behavesLikeAList(@TempDir Path folder) throws Exception {
    long seed = Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
    try (Comparison comparison = new Comparison(folder, seed)) {
      comparison.run();
    }
  }

  /** A journal and the list of what it took. */
  private static final class Comparison implements AutoCloseable {
    private static final JournalOptions OPTIONS =
        new JournalOptions(Duration.ofMillis(2), 300_000, 8 << 10, 2_000, 128 << 10);

    private final Path folder;
    private final long seed;
    private final SplittableRandom random;

    /** All that was taken; the record with sequence n is at n - 1. */
    private final List<byte[]> taken = new ArrayList<>();

    private Journal journal;
    private long step;
    private long refused;

    /** At least so many are synced. */
    private int flushed;

    /** The highest sequence that the database can know. */
    private long given;

    /** What the database has. */
    private long inDatabase;

    /** Up to here records may be deleted. */
    private long acknowledged;

    Comparison(Path folder, long seed) {
      this.folder = folder;
      this.seed = seed;
      this.random = new SplittableRandom(seed);
      this.journal = Journal.open(folder, OPTIONS);
    }

    void run() throws InterruptedException {
      for (step = 0; step < STEPS; step++) {
        act(random.nextInt(1_000));
      }
      flush();
      while (inDatabase < taken.size()) {
        read(inDatabase, 1_000, 1 << 20);
      }
      assertThat(taken).as(where()).hasSizeGreaterThan(STEPS / 10);
    }

    private String where() {
      return "seed %d, step %d".formatted(seed, step);
    }

    private void act(int dice) throws InterruptedException {
      if (dice < 650) {
        append();
      } else if (dice < 800) {
        read(inDatabase, 1 + random.nextInt(200), 1 + random.nextInt(20_000));
      } else if (dice < 850) {
        read(random.nextLong(given + 1), 1 + random.nextInt(50), 1 + random.nextInt(5_000));
      } else if (dice < 920) {
        journal.acknowledge(inDatabase);
        acknowledged = Math.max(acknowledged, inDatabase);
      } else if (dice < 980) {
        checkStatistics();
      } else if (dice < 997) {
        flush();
      } else {
        reopen();
      }
    }

    private void append() {
      byte[] record =
          new byte[random.nextInt(20) == 0 ? random.nextInt(10_000) : random.nextInt(300)];
      random.nextBytes(record);
      if (journal.append(record)) {
        taken.add(record);
      } else {
        refused++;
      }
    }

    private void flush() throws InterruptedException {
      journal.flush();
      flushed = taken.size();
    }

    private void read(long after, int mostRecords, int mostBytes) throws InterruptedException {
      List<JournalRecord> batch = journal.read(after, mostRecords, mostBytes, Duration.ZERO);
      if (batch.isEmpty()) {
        // What was acknowledged may be gone.
        assertThat(Math.max(after, acknowledged)).as(where()).isGreaterThanOrEqualTo(flushed);
        return;
      }
      long first = batch.get(0).sequence();
      if (first != after + 1) {
        // Only what was acknowledged may be gone.
        assertThat(first).as(where()).isBetween(after + 1, acknowledged + 1);
      }
      long bytes = 0;
      for (int i = 0; i < batch.size(); i++) {
        JournalRecord record = batch.get(i);
        assertThat(record.sequence()).as(where()).isEqualTo(first + i);
        assertThat(record.payload()).as(where()).isEqualTo(taken.get((int) record.sequence() - 1));
        bytes += record.payload().length;
      }
      long last = first + batch.size() - 1;
      assertThat(batch.size()).as(where()).isLessThanOrEqualTo(mostRecords);
      if (batch.size() > 1) {
        assertThat(bytes).as(where()).isLessThanOrEqualTo(mostBytes);
      }
      boolean isShort = batch.size() < mostRecords && last < flushed;
      if (isShort) {
        assertThat(bytes + taken.get((int) last).length).as(where()).isGreaterThan(mostBytes);
      }
      given = Math.max(given, last);
      if (after == inDatabase) {
        inDatabase = last;
      }
    }

    private void checkStatistics() {
      JournalStatistics statistics = journal.statistics();
      assertThat(statistics.lastSynced())
          .as(where())
          .isBetween((long) flushed, (long) taken.size());
      assertThat(statistics.waitingRecords())
          .as(where())
          .isBetween(0L, (long) taken.size() - flushed);
      assertThat(statistics.bytesOnDisk()).as(where()).isBetween(0L, OPTIONS.mostBytesOnDisk());
      assertThat(statistics.allDropped()).as(where()).isEqualTo(refused);
      assertThat(statistics.damaged()).as(where()).isZero();
      assertThat(statistics.isFailing()).as(where()).isFalse();
      assertThat(statistics.oldestUnread()).as(where()).isLessThanOrEqualTo(taken.size() + 1L);
    }

    /** The database may be asked at the start, or not. */
    private void reopen() {
      journal.close();
      long known = random.nextBoolean() ? inDatabase : 0;
      journal = Journal.open(folder, OPTIONS, id -> known);
      acknowledged = Math.max(acknowledged, known);
      flushed = taken.size();
      given = taken.size();
      refused = 0;
      assertThat(journal.statistics().lastSynced()).as(where()).isEqualTo(taken.size());
    }

    @Override
    public void close() {
      journal.close();
    }
  }
}
