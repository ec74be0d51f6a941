package dev.weir.control.journal;

import static dev.weir.control.journal.Records.record;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** A process that uses a journal until it is killed, and says what it has seen, line by line. */
final class ChildJournal {
  static final JournalOptions OPTIONS =
      JournalOptions.defaults().withSyncInterval(Duration.ofMillis(5)).withSegmentBytes(64 << 10);

  private ChildJournal() {}

  /** Starts one: a number for what it appends, and what is in the database. */
  static Process start(Path folder, int run, long inDatabase) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            ChildJournal.class.getName(),
            folder.toString(),
            Integer.toString(run),
            Long.toString(inDatabase))
        .redirectErrorStream(true)
        .start();
  }

  /**
   * Appends records {@code run:0}, {@code run:1} and so on. Says {@code flushed n} when the first n
   * are safe, and {@code read sequence text} for the last record of each batch that it reads.
   */
  public static void main(String[] args) throws InterruptedException {
    int run = Integer.parseInt(args[1]);
    long last = Long.parseLong(args[2]);
    SplittableRandom random = new SplittableRandom(run);
    try (Journal journal = Journal.open(Path.of(args[0]), OPTIONS)) {
      for (int appended = 0; ; ) {
        for (int i = random.nextInt(300); i > 0; i--) {
          String text = run + ":" + appended;
          if (journal.append(record(text + " ".repeat(random.nextInt(200))))) {
            appended++;
          }
        }
        if (random.nextInt(3) == 0) {
          journal.flush();
          System.out.println("flushed " + appended);
        }
        List<JournalRecord> batch = journal.read(last, 200, 1 << 20, Duration.ZERO);
        if (!batch.isEmpty()) {
          JournalRecord newest = batch.get(batch.size() - 1);
          last = newest.sequence();
          System.out.println("read " + last + " " + Records.text(newest).strip());
        }
      }
    } catch (JournalException failure) {
      System.out.println("failed " + failure.getMessage());
    }
  }
}
