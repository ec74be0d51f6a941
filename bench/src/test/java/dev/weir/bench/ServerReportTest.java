package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerReportTest {

  /**
   * Two rounds of all contenders; all do 1,000 requests a second in the first and 2,000 in the
   * second, those of Weir that many times as much.
   */
  private static ServerRounds rounds(double weir, double p99Micros, long bad) {
    List<ServerRun> runs = new ArrayList<>();
    List<RedisRun> library = new ArrayList<>();
    for (int round = 1; round <= 2; round++) {
      for (int clients : new int[] {1_000, 100_000}) {
        for (ServerContender contender : ServerContender.values()) {
          double perSecond = 1_000 * round * (contender.isWeir() ? weir : 1);
          runs.add(
              new ServerRun(
                  contender,
                  clients,
                  new ServerRun.Most(perSecond, 8 / weir, contender.isOnRedis ? 3.2 : 0, bad),
                  new ServerRun.Half(perSecond / 2, 180, p99Micros, bad)));
        }
        library.add(library(clients, 1_000 * round));
      }
    }
    return new ServerRounds(runs, library);
  }

  private static RedisRun library(int clients, double perSecond) {
    List<RedisRun.Load> loads =
        List.of(
            new RedisRun.Load(64, 7, 0, 0, 1, 1, 1, 1),
            new RedisRun.Load(RedisLoad.USUAL_IN_FLIGHT, perSecond, 0, 0, 1, 1, 1, 1));
    return new RedisRun(
        RedisContender.WEIR,
        "Redis 7.0.15",
        clients,
        loads,
        loads.get(0),
        new RedisRun.Memory(1, 84));
  }

  @Test
  void comparesWhatRanInTheSameRound() {
    assertThat(ServerReport.targets(rounds(0.8, 4_900, 0)))
        .hasSize(31)
        .allMatch(Target::met)
        .extracting(Target::what, Target::measured, Target::wanted)
        .contains(
            tuple(
                "Weir, /v1/check / bare Vert.x, JSON, 1,000 clients",
                "0.80 (0.80..0.80)",
                "at least 0.6"),
            tuple(
                "Weir, /v1/auth / nginx limit_req, 100,000 clients",
                "0.80 (0.80..0.80)",
                "at least 0.8"),
            tuple(
                "Weir, Envoy's protocol / bare Vert.x, gRPC, 100,000 clients",
                "0.80 (0.80..0.80)",
                "at least 0.75"),
            tuple(
                "Weir on Redis, /v1/auth / Weir's library on Redis, 1,000 clients",
                "0.80 (0.80..0.80)",
                "at least 0.5"),
            tuple(
                "Weir on Redis, /v1/check, p99 ms at half load, 100,000 clients",
                "4.90 (4.90..4.90)",
                "below 5"));
  }

  @Test
  void noticesWhatIsTooSlowOrWrong() {
    assertThat(ServerReport.targets(rounds(0.4, 5_000, 1)))
        .hasSize(31)
        .noneMatch(Target::met)
        .extracting(Target::what, Target::measured)
        // Eleven contenders, two numbers of clients, two rounds, twice each.
        .contains(tuple("requests that failed or got a wrong answer", "88"));
  }

  @Test
  void writesEveryFigureDown(@TempDir Path folder) throws IOException {
    RunFiles files = new RunFiles(folder, 17);
    files.write(ServerReport.SUITE, rounds(0.5, 4_900, 2));

    assertThat(ServerReport.of(files).replaceAll(" +", " "))
        .contains(
            "| Weir, /v1/check | 750 (500..1000) | 0.50 (0.50..0.50) | 16.0 (16.0..16.0)"
                + " | 1.00 (1.00..1.00) | 8 |")
        .contains(
            "| Weir on Redis, /v1/auth | 750 (500..1000) | 0.50 (0.50..0.50) | 16.0 (16.0..16.0)"
                + " | 3.2 (3.2..3.2) | 8 |")
        .contains("| Weir's library on Redis | 1500 (1000..2000) | 1.00 (1.00..1.00) | | | |")
        .contains("| nginx limit_req | 750 (500..1000) | 0.18 (0.18..0.18) | 4.90 (4.90..4.90) |");
    assertThat(RunFiles.all(folder, ServerReport.SUITE)).containsExactly(files);
  }

  @Test
  void leavesOutWhoeverHadNoPartInTheRun(@TempDir Path folder) throws IOException {
    ServerRounds all = rounds(0.8, 4_900, 0);
    RunFiles files = new RunFiles(folder, 17);
    files.write(
        ServerReport.SUITE,
        new ServerRounds(
            all.runs().stream()
                .filter(run -> !run.contender().isWeir() || run.contender().call != ServerCall.RLS)
                .toList(),
            all.library()));

    assertThat(ServerReport.of(files)).contains("bare Vert.x, gRPC").doesNotContain("Envoy");
  }
}
