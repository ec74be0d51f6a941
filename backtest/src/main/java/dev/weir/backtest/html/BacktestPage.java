package dev.weir.backtest.html;

import dev.weir.backtest.BacktestReport;
import dev.weir.backtest.BacktestReport.Before;
import dev.weir.backtest.BacktestReport.ClientRow;
import dev.weir.backtest.BacktestReport.EndpointRow;
import dev.weir.backtest.BacktestReport.RuleRow;
import dev.weir.backtest.Comparison;
import dev.weir.backtest.LogCounts;
import dev.weir.backtest.suggest.Suggestions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A report as one page of HTML. It needs nothing beside itself, runs no script, and everything in
 * it that comes from a log or a policy is text.
 */
public final class BacktestPage {
  private static final String CONTENT_POLICY =
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

  /** Longer tables are for programs. */
  private static final int MOST_ROWS = 200;

  private final BacktestReport report;
  private final @Nullable Suggestions suggestions;
  private final Markup page = new Markup();

  private BacktestPage(BacktestReport report, @Nullable Suggestions suggestions) {
    this.report = report;
    this.suggestions = suggestions;
  }

  /**
   * The page.
   *
   * @param suggestions null: they were not asked for
   */
  public static String of(BacktestReport report, @Nullable Suggestions suggestions) {
    return new BacktestPage(report, suggestions).text();
  }

  private String text() {
    page.raw("<!DOCTYPE html>\n").open("html", "lang", "en");
    writeHead();
    page.open("body").open("main");
    writeTitle();
    writeHeadline();
    report.warnings().forEach(warning -> page.leaf("p", warning, "class", "warning"));
    writeTimeline();
    writeRules();
    writeEndpoints();
    writeClients();
    if (suggestions != null) {
      new SuggestionsSection(suggestions).write(page);
    }
    writeLog();
    page.close().close().close();
    return page.toString();
  }

  private void writeHead() {
    page.open("head").empty("meta", "charset", "utf-8");
    page.empty("meta", "http-equiv", "Content-Security-Policy", "content", CONTENT_POLICY);
    page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    page.empty("meta", "name", "color-scheme", "content", "light dark");
    page.leaf("title", "Backtest of policy " + report.policy());
    page.open("style").raw(style()).close();
    page.close();
  }

  private static String style() {
    try (InputStream style =
        Objects.requireNonNull(BacktestPage.class.getResourceAsStream("page.css"), "page.css")) {
      return new String(style.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private void writeTitle() {
    page.leaf("h1", "Backtest");
    page.open("p", "class", "about").text("Policy ").leaf("code", report.policy());
    Before before = report.before();
    if (before instanceof Before.Policy other) {
      page.text(" against policy ").leaf("code", other.policy());
    } else if (before instanceof Before.Log) {
      page.text(" against what the log says was decided");
    }
    if (report.from() != null && report.to() != null) {
      page.empty("br");
      page.text(Figures.time(report.from()) + " to " + Figures.time(report.to()));
    }
    page.close();
  }

  private void writeHeadline() {
    Comparison totals = report.totals();
    long requests = totals.after().requests();
    page.open("dl", "class", "headline");
    writeFigure("plain", "requests", requests, "replayed");
    writeFigure("plain", "refused", totals.after().refused(), share(totals.after().refused()));
    if (report.isCompared()) {
      writeFigure("newly", "newly refused", totals.newlyRefused(), share(totals.newlyRefused()));
      writeFigure(
          "no-longer",
          "no longer refused",
          totals.noLongerRefused(),
          share(totals.noLongerRefused()));
    }
    page.close();
    if (report.decidedByLists() > 0) {
      page.leaf(
          "p",
          Figures.count(report.decidedByLists())
              + " requests were blocked or exempt by lists that are no part of a policy; they keep"
              + " that outcome and count against no limit.");
    }
  }

  private String share(long part) {
    return Figures.percent(part, report.totals().after().requests()) + " of requests";
  }

  private void writeFigure(String style, String name, long number, String note) {
    page.open("div", "class", style);
    page.leaf("dt", name).open("dd").leaf("strong", Figures.count(number));
    page.leaf("span", note).close().close();
  }

  private void writeTimeline() {
    if (report.timeline().steps().isEmpty()) {
      return;
    }
    page.open("section").leaf("h2", "Time line");
    writeLegend();
    TimelineChart.ofAll(report.timeline(), report.isCompared()).write(page);
    page.leaf("h3", report.isCompared() ? "Only what is or was refused" : "Only what is refused");
    TimelineChart.ofRefused(report.timeline(), report.isCompared()).write(page);
    page.close();
  }

  private void writeLegend() {
    page.open("ul", "class", "legend");
    if (report.isCompared()) {
      writeKey("newly", "newly refused");
      writeKey("refused", "refused as before");
      writeKey("no-longer", "no longer refused");
      writeKey("passed", "passes as before");
    } else {
      writeKey("refused", "refused");
      writeKey("passed", "passes");
    }
    page.close();
  }

  private void writeKey(String style, String name) {
    page.open("li");
    page.open("svg", "viewBox", "0 0 12 12", "aria-hidden", "true");
    page.empty("rect", "class", style, "width", "12", "height", "12").close();
    page.text(name).close();
  }

  private void writeRules() {
    page.open("section").leaf("h2", "Rules");
    Table table = withComparison(new Table("What each rule decides").names("rule"));
    boolean hasShadows = report.rules().stream().anyMatch(row -> row.shadowRefused() > 0);
    if (hasShadows) {
      table.numbers("shadow would refuse");
    }
    for (RuleRow row : limited(report.rules())) {
      List<Consumer<Markup>> cells = cells(row.rule(), row.comparison());
      if (hasShadows) {
        cells.add(Table.count(row.shadowRefused()));
      }
      table.add(cells);
    }
    table.write(page);
    writeMore(report.rules().size());
    page.close();
  }

  private void writeEndpoints() {
    page.open("section").leaf("h2", "Endpoints");
    Table table = withComparison(new Table("Requests to each endpoint").names("endpoint"));
    for (EndpointRow row : limited(report.endpoints())) {
      table.add(cells(row.endpoint(), row.comparison()));
    }
    table.write(page);
    writeMore(report.endpoints().size());
    page.close();
  }

  private static <T> List<T> limited(List<T> rows) {
    return rows.subList(0, Math.min(MOST_ROWS, rows.size()));
  }

  private void writeMore(int rows) {
    if (rows > MOST_ROWS) {
      page.leaf("p", Figures.count(rows - MOST_ROWS) + " more are in the report for programs.");
    }
  }

  private Table withComparison(Table table) {
    table.numbers("requests").numbers("refused").numbers("share refused");
    if (report.isCompared()) {
      table.numbers("refused before").numbers("newly refused").numbers("no longer refused");
    }
    return table;
  }

  private List<Consumer<Markup>> cells(String name, Comparison comparison) {
    List<Consumer<Markup>> cells = new ArrayList<>();
    cells.add(Table.text(name));
    cells.add(Table.count(comparison.after().requests()));
    cells.add(Table.count(comparison.after().refused()));
    cells.add(Table.bar(comparison.after().refused(), comparison.after().requests()));
    if (report.isCompared()) {
      cells.add(Table.count(comparison.before().refused()));
      cells.add(Table.count(comparison.newlyRefused()));
      cells.add(Table.count(comparison.noLongerRefused()));
    }
    return cells;
  }

  private void writeClients() {
    page.open("section").leaf("h2", "Clients");
    if (report.isCompared()) {
      writeClients("Clients that are hurt most: newly refused most often", report.hurt());
    }
    writeClients("Clients that are refused most often", report.refused());
    page.close();
  }

  private void writeClients(String caption, List<ClientRow> clients) {
    if (clients.isEmpty()) {
      page.leaf("p", caption + ": none.");
      return;
    }
    Table table = new Table(caption).names("client").numbers("requests").numbers("refused");
    table.numbers("share refused");
    if (report.isCompared()) {
      table.numbers("newly refused").numbers("no longer refused");
    }
    for (ClientRow row : clients) {
      List<Consumer<Markup>> cells = new ArrayList<>();
      cells.add(Table.text(row.client()));
      cells.add(Table.count(row.requests()));
      cells.add(Table.text(atLeast(row)));
      cells.add(Table.bar(row.refused(), row.requests()));
      if (report.isCompared()) {
        cells.add(Table.count(row.newlyRefused()));
        cells.add(Table.count(row.noLongerRefused()));
      }
      table.add(cells);
    }
    table.write(page);
  }

  private static String atLeast(ClientRow row) {
    return row.mayMiss() == 0
        ? Figures.count(row.refused())
        : Figures.count(row.refused()) + " to " + Figures.count(row.refused() + row.mayMiss());
  }

  private void writeLog() {
    LogCounts log = report.log();
    page.open("section").leaf("h2", "The log");
    Table table = new Table("What was read").names("lines").numbers("count");
    table.add(List.of(Table.text("in all"), Table.count(log.lines())));
    table.add(List.of(Table.text("requests"), Table.count(log.requests())));
    table.add(List.of(Table.text("could not be read"), Table.count(log.bad())));
    table.add(List.of(Table.text("requests that are malformed"), Table.count(log.malformed())));
    table.add(List.of(Table.text("not wanted"), Table.count(log.skipped())));
    table.add(List.of(Table.text("too late to be sorted"), Table.count(log.late())));
    table.write(page);
    if (!log.examples().isEmpty()) {
      page.leaf("h3", "Lines that could not be read").open("ul", "class", "lines");
      log.examples().forEach(example -> page.leaf("li", example));
      page.close();
    }
    page.close();
  }
}
