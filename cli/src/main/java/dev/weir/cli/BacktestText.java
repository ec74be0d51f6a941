package dev.weir.cli;

import dev.weir.backtest.BacktestReport;
import dev.weir.backtest.BacktestReport.Before;
import dev.weir.backtest.BacktestReport.ClientRow;
import dev.weir.backtest.BacktestReport.EndpointRow;
import dev.weir.backtest.BacktestReport.RuleRow;
import dev.weir.backtest.Comparison;
import dev.weir.backtest.LogCounts;
import dev.weir.backtest.Tally;
import dev.weir.cli.Terminal.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** A backtest for people: totals, rules, endpoints, clients, and how it went over time. */
final class BacktestText {
  private final BacktestReport report;
  private final Terminal terminal;
  private final int top;
  private final List<String> lines = new ArrayList<>();

  BacktestText(BacktestReport report, Terminal terminal, int top) {
    this.report = report;
    this.terminal = terminal;
    this.top = top;
  }

  List<String> lines() {
    addHead();
    addTotals();
    addRules();
    addEndpoints();
    addClients("clients refused most", report.refused());
    if (report.isCompared()) {
      addClients("clients newly refused most", report.hurt());
    }
    if (!report.timeline().steps().isEmpty()) {
      add("");
      new TimelineChart(report.timeline(), terminal).lines().forEach(this::add);
    }
    addLog();
    return lines;
  }

  private void add(String line) {
    lines.add(line);
  }

  private void addHead() {
    Before before = report.before();
    String than =
        before instanceof Before.Policy other
            ? ", compared with policy " + other.policy()
            : before instanceof Before.Log ? ", compared with the log" : "";
    add(terminal.paint(Color.STRONG, "policy " + report.policy()) + than);
    if (report.from() != null && report.to() != null) {
      add("from %s to %s".formatted(report.from(), report.to()));
    }
  }

  private void addTotals() {
    Comparison totals = report.totals();
    boolean isCompared = report.isCompared();
    Sheet sheet = new Sheet();
    if (isCompared) {
      sheet.add(List.of("", "after", "", "before", ""));
    }
    addTotal(sheet, "requests", Tally::requests);
    addTotal(sheet, "allowed", Tally::allowed);
    addTotal(sheet, "throttled", Tally::throttled);
    addTotal(sheet, "blocked", Tally::blocked);
    add("");
    addTable(sheet);
    if (isCompared) {
      add("");
      add("  newly refused      " + changed(totals.newlyRefused(), Color.REFUSED));
      add("  no longer refused  " + changed(totals.noLongerRefused(), Color.ALLOWED));
    }
  }

  private void addTotal(Sheet sheet, String name, ToLongFunction<Tally> count) {
    List<String> cells = new ArrayList<>(List.of(name));
    addShare(cells, report.totals().after(), count);
    if (report.isCompared()) {
      addShare(cells, report.totals().before(), count);
    }
    sheet.add(cells);
  }

  private static void addShare(List<String> cells, Tally tally, ToLongFunction<Tally> count) {
    cells.add(number(count.applyAsLong(tally)));
    cells.add(percent(count.applyAsLong(tally), tally.requests()));
  }

  private String changed(long count, Color color) {
    return terminal.paint(color, number(count))
        + "  "
        + percent(count, report.totals().after().requests()).strip();
  }

  private void addRules() {
    boolean hasShadows = report.rules().stream().anyMatch(row -> row.shadowRefused() > 0);
    Sheet sheet = new Sheet();
    sheet.add(names("rule", hasShadows));
    List<RuleRow> shown = report.rules().subList(0, Math.min(top, report.rules().size()));
    for (RuleRow row : shown) {
      List<String> cells = cells(PlainText.of(row.rule()), row.comparison());
      if (hasShadows) {
        cells.add(number(row.shadowRefused()));
      }
      sheet.add(cells);
    }
    addSection("rules", sheet, report.rules().size() - shown.size());
  }

  private void addEndpoints() {
    Sheet sheet = new Sheet();
    sheet.add(names("endpoint", false));
    List<EndpointRow> all = report.endpoints();
    List<EndpointRow> shown = all.subList(0, Math.min(top, all.size()));
    for (EndpointRow row : shown) {
      sheet.add(cells(PlainText.of(row.endpoint()), row.comparison()));
    }
    addSection("endpoints", sheet, all.size() - shown.size());
  }

  private List<String> names(String first, boolean hasShadows) {
    List<String> names = new ArrayList<>(List.of(first, "requests", "refused", ""));
    if (report.isCompared()) {
      names.addAll(List.of("before", "newly", "no longer"));
    }
    if (hasShadows) {
      names.add("in shadow");
    }
    return names;
  }

  private List<String> cells(String name, Comparison comparison) {
    Tally after = comparison.after();
    List<String> cells =
        new ArrayList<>(
            List.of(
                name,
                number(after.requests()),
                number(after.refused()),
                percent(after.refused(), after.requests())));
    if (report.isCompared()) {
      cells.add(number(comparison.before().refused()));
      cells.add(number(comparison.newlyRefused()));
      cells.add(number(comparison.noLongerRefused()));
    }
    return cells;
  }

  private void addClients(String title, List<ClientRow> clients) {
    if (clients.isEmpty()) {
      return;
    }
    Sheet sheet = new Sheet();
    List<String> names = new ArrayList<>(List.of("client", "requests", "refused", ""));
    if (report.isCompared()) {
      names.addAll(List.of("newly", "no longer"));
    }
    sheet.add(names);
    for (ClientRow row : clients) {
      List<String> cells =
          new ArrayList<>(
              List.of(
                  PlainText.of(row.client()),
                  number(row.requests()),
                  number(row.refused()) + (row.mayMiss() > 0 ? "+" : ""),
                  percent(row.refused(), row.requests())));
      if (report.isCompared()) {
        cells.add(number(row.newlyRefused()));
        cells.add(number(row.noLongerRefused()));
      }
      sheet.add(cells);
    }
    addSection(title, sheet, 0);
  }

  private void addSection(String title, Sheet sheet, int more) {
    add("");
    add(terminal.paint(Color.STRONG, title));
    addTable(sheet);
    if (more > 0) {
      add("  and %s more; see --top".formatted(number(more)));
    }
  }

  private void addTable(Sheet sheet) {
    sheet.lines().forEach(line -> add("  " + line));
  }

  private void addLog() {
    LogCounts log = report.log();
    add("");
    add(
        "%s lines read: %s requests%s%s%s%s"
            .formatted(
                number(log.lines()),
                number(log.requests()),
                also(log.bad(), "bad"),
                also(log.malformed(), "malformed"),
                also(log.skipped(), "skipped"),
                also(log.late(), "late")));
    if (report.decidedByLists() > 0) {
      add(
          "%s were blocked or exempt in life by lists beside the policy, and stay so"
              .formatted(number(report.decidedByLists())));
    }
    log.examples().forEach(example -> add("  " + PlainText.of(example)));
    report.warnings().forEach(warning -> add("warning: " + warning));
  }

  private static String also(long count, String what) {
    return count == 0 ? "" : ", " + number(count) + " " + what;
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String percent(long count, long of) {
    return of == 0 ? "" : String.format(Locale.ROOT, "%.1f %%", 100.0 * count / of);
  }
}
