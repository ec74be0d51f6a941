package dev.weir.control.journal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Records and journals for tests. */
final class Records {
  /** Nothing is synced in time; only flush does it. */
  static final JournalOptions ONLY_BY_FLUSH =
      JournalOptions.defaults().withSyncInterval(Duration.ofSeconds(60)).withSegmentBytes(4 << 10);

  private Records() {}

  static byte[] record(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** The text of a number, some of them long. */
  static String text(long number) {
    return "r" + number + "-".repeat((int) (number % 37));
  }

  static String text(JournalRecord record) {
    return new String(record.payload(), StandardCharsets.UTF_8);
  }

  static List<String> texts(List<JournalRecord> records) {
    return records.stream().map(Records::text).toList();
  }

  static List<Long> sequences(List<JournalRecord> records) {
    return records.stream().map(JournalRecord::sequence).toList();
  }

  /** The texts of some numbers. */
  static List<String> texts(long from, long to) {
    return LongStream.rangeClosed(from, to).mapToObj(Records::text).toList();
  }

  /** A list that may be changed. */
  static List<Long> numbers(long from, long to) {
    return LongStream.rangeClosed(from, to)
        .boxed()
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** Appends the texts of some numbers, and has them on disk. */
  static void append(Journal journal, long from, long to) throws InterruptedException {
    for (long number = from; number <= to; number++) {
      if (!journal.append(record(text(number)))) {
        throw new IllegalStateException("record " + number + " was not taken");
      }
    }
    journal.flush();
  }

  /** All that can be read without waiting. */
  static List<JournalRecord> all(Journal journal, long after) throws InterruptedException {
    List<JournalRecord> all = new ArrayList<>();
    long last = after;
    while (true) {
      List<JournalRecord> batch = journal.read(last, 1_000, 1 << 20, Duration.ZERO);
      if (batch.isEmpty()) {
        return all;
      }
      all.addAll(batch);
      last = batch.get(batch.size() - 1).sequence();
    }
  }

  /** The segments in a folder, in their order. */
  static List<Path> segments(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> Segment.firstOf(file).isPresent()).sorted().toList();
    }
  }
}
