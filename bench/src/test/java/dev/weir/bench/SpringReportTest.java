package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpringReportTest {

  /**
   * Two rounds of all contenders; the bare ones do 1,000 requests a second in the first and 2,000
   * in the second, and take 20 µs on Spring Boot 4 and 30 µs on Spring Boot 3. Weir does that many
   * times as much, and takes that many µs more; the others take 10 µs more.
   */
  private static List<SpringRun> runs(double weir, double weirMicros, long bad) {
    List<SpringRun> runs = new ArrayList<>();
    for (int round = 1; round <= 2; round++) {
      for (SpringLoad load : SpringLoad.all(List.of(1_000, 100_000))) {
        for (SpringContender contender : SpringContender.values()) {
          boolean isWeir = isWeir(contender);
          double bareMicros = contender.bare() == SpringContender.BARE_ON_BOOT_3 ? 30 : 20;
          double moreMicros = contender.isBare() ? 0 : isWeir ? weirMicros : 10;
          double perSecond = 1_000 * round * (isWeir ? weir : 1);
          runs.add(new SpringRun(contender, load, perSecond, bareMicros + moreMicros, bad));
        }
      }
    }
    return runs;
  }

  private static boolean isWeir(SpringContender contender) {
    return contender == SpringContender.WEIR || contender == SpringContender.WEIR_FILTER;
  }

  @Test
  void comparesOverheadWithTheApplicationOnTheSameSpringBoot() {
    assertThat(SpringReport.targets(runs(0.93, 9.9, 0)))
        .hasSize(13)
        .allMatch(Target::met)
        .extracting(Target::what, Target::measured, Target::wanted)
        .contains(
            tuple(
                "requests/s with Weir's starter / without, 12 bytes of text, 1,000 clients",
                "0.93 (0.93..0.93)",
                "at least 0.93"),
            tuple(
                "overhead of Weir's starter / of Bucket4j's starter, Spring Boot 3.5,"
                    + " 20 orders in JSON, 1,000 clients",
                "0.99 (0.99..0.99)",
                "below 1"),
            tuple(
                "overhead of Weir's filter, in one application / of filter around resilience4j,"
                    + " in one application, 20 orders in JSON, 100,000 clients",
                "0.99 (0.99..0.99)",
                "below 1"));
  }

  @Test
  void noticesWhatIsTooSlowOrRefused() {
    assertThat(SpringReport.targets(runs(0.92, 10, 1)))
        .hasSize(13)
        .noneMatch(Target::met)
        .extracting(Target::what, Target::measured)
        // Eight contenders, two answers, two numbers of clients, two rounds.
        .contains(tuple("requests that failed or were refused", "64"));
  }

  @Test
  void isNotMisledByPeersThatSeemToAddLessThanNothing() {
    List<SpringRun> runs = new ArrayList<>();
    SpringLoad load = new SpringLoad(SpringLoad.Answer.TEXT, 1_000);
    for (SpringContender contender : SpringContender.values()) {
      double micros = contender.isBare() ? 20 : isWeir(contender) ? 25 : 19;
      runs.add(new SpringRun(contender, load, 1_000, micros, 0));
    }

    assertThat(SpringReport.targets(runs))
        .filteredOn(target -> target.what().startsWith("overhead"))
        .hasSize(2)
        .noneMatch(Target::met)
        .allMatch(target -> target.measured().equals("-5.00 (-5.00..-5.00)"));
  }

  @Test
  void writesEveryFigureDown(@TempDir Path folder) throws IOException {
    RunFiles files = new RunFiles(folder, 17);
    files.write(SpringReport.SUITE, runs(0.5, 4, 2));

    assertThat(SpringReport.of(files).replaceAll(" +", " "))
        .contains("| bare | 1500 (1000..2000) | 1.00 (1.00..1.00) | 20.0 (20.0..20.0) | | 4 |")
        .contains(
            "| Weir's starter | 750 (500..1000) | 0.50 (0.50..0.50) | 24.0 (24.0..24.0)"
                + " | 4.0 (4.0..4.0) | 4 |")
        .contains(
            "| Bucket4j's starter, Spring Boot 3.5 | 1500 (1000..2000) | 1.00 (1.00..1.00)"
                + " | 40.0 (40.0..40.0) | 10.0 (10.0..10.0) | 4 |");
    assertThat(RunFiles.all(folder, SpringReport.SUITE)).containsExactly(files);
  }
}
