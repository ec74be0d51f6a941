package dev.weir.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlReportTest {

  /** A key costs {@code factor} times what a decision does without. */
  private static List<ControlRun.Decisions> decisions(double factor) {
    List<ControlRun.Decisions> all = new ArrayList<>();
    for (int clients : ControlReport.CLIENTS) {
      for (KnownClientLoad.Way way : KnownClientLoad.Way.values()) {
        double nanos =
            switch (way) {
              case DESCRIBED -> 1_000;
              case DESCRIBED_KEY -> 1_000 * factor;
              case NAMED -> 500;
              case NAMED_KEY -> 500 * factor;
              case NAMED_USER -> 900;
            };
        all.add(new ControlRun.Decisions(way, clients, nanos, 320));
      }
    }
    return all;
  }

  private static List<ControlRun.Requests> requests(double factor) {
    List<ControlRun.Requests> all = new ArrayList<>();
    for (int clients : ControlReport.CLIENTS) {
      all.add(new ControlRun.Requests(false, clients, 40_000, 10, 15));
      all.add(new ControlRun.Requests(true, clients, 30_000, 10 * factor, 20));
    }
    return all;
  }

  private static ControlRun run(
      double factor, double lookUps, double ingestSeconds, double queryMillis, long duckDbRows) {
    ControlRun.Queries queries =
        new ControlRun.Queries(queryMillis + 1, queryMillis, queryMillis + 2);
    return new ControlRun(
        requests(factor),
        decisions(factor),
        new ControlRun.Flood(200, 1_500_000, lookUps),
        new ControlRun.Memory(410, 300),
        new ControlRun.Month(
            1_000_000,
            12,
            10,
            ingestSeconds,
            queries,
            queries,
            8,
            0.25,
            duckDbRows,
            0,
            new ControlRun.Sizes(150_000_000, 200_000_000, 100_000_000, 400_000_000, 20_000_000)));
  }

  @Test
  void holdsKeysFloodsAndMonthsToTheirTargets() {
    assertThat(ControlReport.targets(List.of(run(1.25, 199, 16, 3, 1_000_000))))
        .hasSize(11)
        .allMatch(Target::met)
        .extracting(Target::what, Target::measured, Target::wanted)
        .contains(
            tuple(
                "a request to the service with a key / without, 100,000 clients",
                "1.25 (1.25..1.25)",
                "at most 1.3"),
            tuple(
                "look-ups a second under a flood of unknown keys",
                "199.00 (199.00..199.00)",
                "at most 200"),
            // 10 s by the better COPY, 16 s by the journal.
            tuple(
                "rows a second from journal to table / bare COPY",
                "0.63 (0.63..0.63)",
                "at least 0.5"),
            tuple("a page of the month by user, ms", "3.00 (3.00..3.00)", "at most 50"));
  }

  @Test
  void noticesWhatIsTooSlowTooOftenOrNotThere() {
    assertThat(ControlReport.targets(List.of(run(1.31, 201, 21, 51, 999_999))))
        .hasSize(11)
        .noneMatch(Target::met);
  }

  @Test
  void writesEveryFigureDown(@TempDir Path folder) throws IOException {
    RunFiles files = new RunFiles(folder, 17);
    files.write(ControlReport.SUITE, List.of(run(1.2, 198, 16, 3, 1_000_000)));

    assertThat(ControlReport.of(files).replaceAll(" +", " "))
        .contains(
            "| with key | 100,000 | 30000 (30000..30000) | 12.00 (12.00..12.00) | 1.20 (1.20..1.20) | 20.00")
        .contains(
            "| described by a proxy, with key | 1,000 | 1200 (1200..1200) | 1.20 (1.20..1.20) | 1 | 320 |")
        .contains("| named: a user with a monthly quota | 100,000 | 900 (900..900) | 1.80")
        .contains("| 1500000 (1500000..1500000) | 198.0 (198.0..198.0) | 200 |")
        .contains("| bare COPY in binary form | 10.00 (10.00..10.00) | 100,000 |")
        .contains("| by decision | 4.0 (4.0..4.0) | 3.0 (3.0..3.0) | 5.0 (5.0..5.0) |")
        .contains("| heap: a key that is known | 410 B |")
        .contains("| PostgreSQL, a decision: log (WAL) | 400 B |")
        .contains("| PostgreSQL, a million decisions: rows and indexes | 300 MB |");
  }
}
