package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.bench.RedisRun.Load;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisReportTest {

  /**
   * Two rounds of all contenders; all do 1,000 decisions a second in the first and 2,000 in the
   * second, Weir that many times as much.
   */
  private static List<RedisRun> runs(double weir, double three, double refused, long wrong) {
    List<RedisRun> runs = new ArrayList<>();
    for (int round = 1; round <= 2; round++) {
      for (int keys : new int[] {1_000, 100_000}) {
        for (RedisContender contender : RedisContender.values()) {
          double factor =
              switch (contender) {
                case WEIR -> weir;
                case WEIR_THREE_LIMITS -> three;
                case WEIR_REFUSED -> refused;
                default -> 1;
              };
          runs.add(run(contender, keys, 1_000 * round * factor, wrong));
        }
      }
    }
    return runs;
  }

  private static RedisRun run(RedisContender contender, int keys, double perSecond, long wrong) {
    List<Load> loads =
        Arrays.stream(RedisLoad.IN_FLIGHT)
            .mapToObj(
                inFlight -> new Load(inFlight, perSecond, 0, wrong, 1_200, 3_400, 0.75, 0.0156))
            .toList();
    double slowest = perSecond > 5_000 ? 1_900 : 2_100;
    Load calm = new Load(1, 999, wrong, 0, 120, slowest, 0.05, 1);
    long bytes = perSecond > 5_000 ? 96 : 97;
    return new RedisRun(
        contender, "Redis 7.0.15", keys, loads, calm, new RedisRun.Memory(1, bytes));
  }

  @Test
  void comparesWhatRanInTheSameRound() {
    assertThat(RedisReport.targets(runs(6, 0.8, 120, 0)))
        .hasSize(12)
        .allMatch(Target::met)
        .extracting(Target::what, Target::measured, Target::wanted)
        .contains(
            tuple(
                "Weir, one limit / token bucket by EVALSHA (reference), 100,000 keys, 256 in flight",
                "6.00 (6.00..6.00)",
                "at least 1.8"),
            tuple(
                "Weir, refused / Weir, one limit, 1,000 keys, 256 in flight",
                "20.00 (20.00..20.00)",
                "at least 20"),
            tuple(
                "Weir, one limit, one by one, p99 ms, 1,000 keys",
                "1.90 (1.90..1.90)",
                "at most 2"),
            tuple("bytes of a client, Weir, one limit", "96.00 (96.00..96.00)", "at most 96"));
  }

  @Test
  void noticesWhatIsTooSlowOrTooMuchOrWrong() {
    assertThat(RedisReport.targets(runs(1.7, 0.7, 1.7 * 19, 1)))
        .hasSize(12)
        .noneMatch(Target::met)
        .extracting(Target::what, Target::measured)
        // Nine contenders, two key sets, two rounds, three loads and the calm one.
        .contains(tuple("requests that failed or got a wrong answer", "144"));
  }

  @Test
  void writesEveryFigureDown(@TempDir Path folder) throws IOException {
    RunFiles files = new RunFiles(folder, 17);
    files.write(RedisReport.SUITE, runs(6, 0.8, 120, 2));

    assertThat(RedisReport.of(files).replaceAll(" +", " "))
        .contains("Redis 7.0.15")
        .contains(
            "| Weir, one limit | 9000 (6000..12000) | 6.00 (6.00..6.00) | 1200 (1200..1200)"
                + " | 3400 (3400..3400) | 0.75 | 0.016 | 4 |")
        .contains("| Redisson RRateLimiter | 120 (120..120) | 2100 (2100..2100) | 0.050 | 4 |")
        .contains("| script like Spring Cloud Gateway's | 1 | 97 |");
    assertThat(RunFiles.all(folder, RedisReport.SUITE)).containsExactly(files);
  }

  @Test
  void leavesOutWhoeverHadNoPartInTheRun(@TempDir Path folder) throws IOException {
    RunFiles files = new RunFiles(folder, 17);
    files.write(
        RedisReport.SUITE,
        runs(6, 0.8, 120, 0).stream()
            .filter(run -> run.contender() != RedisContender.REDISSON)
            .toList());

    assertThat(RedisReport.of(files)).contains("INCR alone").doesNotContain("Redisson");
  }
}
