package dev.weir.backtest.html;

import dev.weir.Limit;
import dev.weir.backtest.BacktestReport;
import dev.weir.backtest.BacktestReport.Before;
import dev.weir.backtest.BacktestReport.ClientRow;
import dev.weir.backtest.BacktestReport.EndpointRow;
import dev.weir.backtest.BacktestReport.RuleRow;
import dev.weir.backtest.BacktestReport.Step;
import dev.weir.backtest.BacktestReport.Timeline;
import dev.weir.backtest.Comparison;
import dev.weir.backtest.LogCounts;
import dev.weir.backtest.Tally;
import dev.weir.backtest.suggest.Allowance;
import dev.weir.backtest.suggest.Share;
import dev.weir.backtest.suggest.Suggestions;
import dev.weir.backtest.suggest.Suggestions.Curve;
import dev.weir.backtest.suggest.Suggestions.OfEndpoint;
import dev.weir.backtest.suggest.Suggestions.Point;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A report in which every name is the one that is given. */
final class SampleReport {
  static final Comparison COMPARISON =
      new Comparison(new Tally(900, 90, 10), new Tally(940, 50, 10), 60, 20);

  private SampleReport() {}

  static BacktestReport of(Before before, String name) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < 48; i++) {
      steps.add(new Step(1_772_323_200_000_000L + i * 1_800_000_000L, COMPARISON));
    }
    return new BacktestReport(
        name,
        before,
        Instant.parse("2026-03-01T00:00:00Z"),
        Instant.parse("2026-03-01T23:59:59Z"),
        new Comparison(new Tally(43_200, 4_320, 480), new Tally(45_120, 2_400, 480), 2_880, 960),
        List.of(new RuleRow(name, COMPARISON, 7)),
        List.of(new EndpointRow(name, COMPARISON)),
        List.of(new ClientRow(name, 100, 40, 30, 0, 0)),
        List.of(new ClientRow(name, 1_234, 40, 30, 5, 2)),
        new Timeline(1_800_000_000L, steps),
        new LogCounts(1_010, 1_000, 6, 2, 1, 1, List.of(name)),
        12,
        List.of(name));
  }

  static BacktestReport empty() {
    Comparison nothing = new Comparison(new Tally(0, 0, 0), new Tally(0, 0, 0), 0, 0);
    return new BacktestReport(
        "version",
        new Before.Nothing(),
        null,
        null,
        nothing,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        new Timeline(1_000_000, List.of()),
        new LogCounts(0, 0, 0, 0, 0, 0, List.of()),
        0,
        List.of());
  }

  static Suggestions suggestions(String name, long oneIn) {
    Limit one = Limit.parse("1/s");
    Limit two = Limit.parse("2/s");
    Curve curve =
        new Curve(
            List.of(
                new Point(one, new Share(50, 1_000), new Share(9, 10)),
                new Point(two, new Share(0, 1_000), new Share(0, 10))),
            two,
            null);
    return new Suggestions(
        Allowance.USUAL, List.of(new OfEndpoint(name, 1_000, 10, oneIn, List.of(curve))));
  }
}
