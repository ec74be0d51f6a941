package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.bench.JmhResults.Subject.Keyed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoreReportTest {

  private static final KeyFlood.Result FLOOD =
      new KeyFlood.Result(KeyFlood.Kind.LIVE, 500, 1e6, 8e5, 1e5, 5, 5, 9, 8, 7, false);

  @Test
  void computesTheSpeedTargetsFromPairsOfRounds() throws IOException {
    assertThat(CoreReport.speed(JmhResults.parse(sample())))
        .containsExactly(
            new Target(
                "Weir / reference, allowed, 1 thread", "1.10 (1.00..2.00)", "at most 1.15", true),
            new Target(
                "Weir / fastest peer (Guava), allowed, 1 thread",
                "1.10 (0.80..2.00)",
                "below 1",
                false),
            new Target(
                "Weir coarse / resilience4j semaphore, allowed, 1 thread",
                "1.67 (1.33..2.00)",
                "at most 1.5",
                false),
            new Target(
                "Weir bytes per call, allowed, 1 thread", "0.00 (0.00..0.00)", "below 0.5", true),
            new Target(
                "Weir / reference, keyed uniform, 2 threads",
                "0.50 (0.50..0.50)",
                "at most 0.7",
                true),
            new Target(
                "ConcurrentHashMap + Bucket4j / Weir, keyed uniform, 2 threads",
                "4.00 (3.00..4.00)",
                "at least 4",
                true),
            new Target(
                "Weir bytes per call, keyed uniform, 2 threads",
                "0.00 (0.00..0.00)",
                "below 0.5",
                true),
            new Target(
                "Weir bytes per call, keyed uniform, 2 threads, keys that recover",
                "1.00 (0.00..2.00)",
                "below 0.5",
                false));
  }

  @Test
  void holdsOnlyWeirToTheMemoryTarget() {
    assertThat(
            CoreReport.memoryTargets(
                List.of(
                    new MemoryPerKey.Result(KeyedContender.WEIR, 1_000_000, 40),
                    new MemoryPerKey.Result(KeyedContender.GUAVA, 1_000_000, 240),
                    new MemoryPerKey.Result(KeyedContender.WEIR, 5_000_000, 40.1))))
        .extracting(Target::what, Target::met)
        .containsExactly(
            tuple("Weir bytes per key at 1,000,000 keys", true),
            tuple("Weir bytes per key at 5,000,000 keys", false));
  }

  @Test
  void wantsTheFloodToBeHeldOff() {
    assertThat(CoreReport.floodTargets(List.of(FLOOD)))
        .containsExactly(
            new Target("flood / calm throughput, `100/d`", "0.80", "at least 0.7", true),
            new Target("exhausted key refused, `100/d`", "5 of 5", "all", true));
  }

  @Test
  void noticesALostKeyALostHeapAndASlowFlood() {
    KeyFlood.Result bad =
        new KeyFlood.Result(KeyFlood.Kind.LIVE, 500, 1e6, 8e5, 1e5, 5, 4, 9, 8, 7, true);
    KeyFlood.Result slow =
        new KeyFlood.Result(KeyFlood.Kind.LIVE, 500, 1e6, 6e5, 1e5, 5, 5, 9, 8, 7, false);

    assertThat(CoreReport.floodTargets(List.of(bad, slow)))
        .extracting(Target::measured, Target::met)
        .containsExactly(
            tuple("out of memory", false),
            tuple("4 of 5", false),
            tuple("0.60", false),
            tuple("5 of 5", true));
  }

  @Test
  void writesEveryFigureDown(@TempDir Path folder) throws IOException {
    RunFiles files = new RunFiles(folder, 17);
    files.writeJson("core", sample());
    files.write("memory", List.of(new MemoryPerKey.Result(KeyedContender.WEIR, 1_000_000, 33.55)));
    files.write("flood", List.of(FLOOD));

    assertThat(CoreReport.of(files).replaceAll(" +", " "))
        .contains("| Weir / reference, allowed, 1 thread | 1.10 (1.00..2.00) | at most 1.15 | ok |")
        .contains("| System.nanoTime alone | 25.0 (25.0..25.0) | 0.63 | 0 | | | |")
        .contains("| Bucket4j | 61.0 (60.0..62.0) | 1.53 | 64 | | | |")
        .contains("| ConcurrentHashMap + Bucket4j | 1200 (960..1240) | 2.00 | 64 | | | |")
        .contains("| Weir | 33.6 |")
        .contains("| `100/d` | 500 | 1,000,000 | 800,000 | 100,000 | 9 | 8 | 7 |");
  }

  @Test
  void saysWhichResultIsMissing() throws IOException {
    JmhResults core = JmhResults.parse(sample());

    assertThatThrownBy(() -> core.of(new Keyed(KeyedContender.WEIR, KeyOrder.ZIPF, 1)))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessage("no result for Keyed[contender=WEIR, order=ZIPF, threads=1]");
  }

  private static String sample() throws IOException {
    try (InputStream in = CoreReportTest.class.getResourceAsStream("core-17.json")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
