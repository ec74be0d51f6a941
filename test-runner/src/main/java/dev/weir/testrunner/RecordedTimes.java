package dev.weir.testrunner;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * How long each class took when it last ran here, so that long ones start first.
 *
 * <p>The times only decide the order. Safe for use by several threads.
 */
final class RecordedTimes {
  /** For a class without a recorded time: integration tests start servers. */
  private static final long DEFAULT_IT_MILLIS = 3_000;

  private static final long DEFAULT_TEST_MILLIS = 200;

  private final Path file;
  private final Map<String, Long> millisByClass = new ConcurrentSkipListMap<>();

  private RecordedTimes(Path file) {
    this.file = file;
  }

  /**
   * Reads the times.
   *
   * @param slow the classes that are slow everywhere, for the first run on a machine
   * @param file the times of earlier runs, if there were any
   */
  static RecordedTimes load(Path slow, Path file) throws IOException {
    RecordedTimes times = new RecordedTimes(file);
    times.read(slow);
    times.read(file);
    return times;
  }

  private void read(Path times) throws IOException {
    try {
      for (String line : Files.readAllLines(times, StandardCharsets.UTF_8)) {
        int space = line.lastIndexOf(' ');
        if (space > 0 && !line.startsWith("#")) {
          millisByClass.put(
              line.substring(0, space), Long.parseLong(line, space + 1, line.length(), 10));
        }
      }
    } catch (NoSuchFileException e) {
      // No run so far.
    } catch (NumberFormatException e) {
      // Cut off while it was written; the end of this run writes it again.
    }
  }

  long estimateMillis(String className) {
    return millisByClass.getOrDefault(
        className, className.endsWith("IT") ? DEFAULT_IT_MILLIS : DEFAULT_TEST_MILLIS);
  }

  void record(ClassResult result) {
    millisByClass.put(result.className(), result.millis());
  }

  void save() throws IOException {
    StringBuilder lines = new StringBuilder();
    millisByClass.forEach(
        (name, millis) -> lines.append(name).append(' ').append(millis).append('\n'));
    Files.writeString(file, lines, StandardCharsets.UTF_8);
  }
}
