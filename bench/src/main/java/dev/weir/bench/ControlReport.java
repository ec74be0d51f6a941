package dev.weir.bench;

import dev.weir.bench.ControlRun.Decisions;
import dev.weir.bench.ControlRun.Month;
import dev.weir.bench.ControlRun.Queries;
import dev.weir.bench.ControlRun.Requests;
import dev.weir.bench.KnownClientLoad.Way;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** Turns the results about the control plane into Markdown: the targets first, then all figures. */
final class ControlReport {
  static final String SUITE = "control";

  static final int[] CLIENTS = {1_000, 100_000};
  private static final double MEGABYTE = 1e6;

  private final List<ControlRun> runs;

  private ControlReport(List<ControlRun> runs) {
    this.runs = runs;
  }

  static String of(RunFiles files) throws IOException {
    ControlReport report = new ControlReport(files.control());
    Page page = Page.of(files, SUITE);
    page.add("PostgreSQL 18, `fsync` on");
    page.targets(report.targets());
    if (report.hasRequests()) {
      page.add("### Requests to the service at `/v1/auth`");
      page.add(report.requests());
    }
    page.add("### A decision for clients that are known, without HTTP");
    page.add(report.decisions());
    page.add("### Keys that nobody has");
    page.add(report.flood());
    page.add("### A month of decisions");
    page.add(report.rates());
    page.add(report.queries());
    page.add("### What it takes");
    page.add(report.sizes());
    return page.toString();
  }

  static List<Target> targets(List<ControlRun> runs) {
    return new ControlReport(runs).targets();
  }

  private List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (int clients : hasRequests() ? CLIENTS : new int[0]) {
      targets.add(
          Target.atMost(
              "a request to the service with a key / without, %s clients"
                  .formatted(Page.grouped(clients)),
              deciding(true, clients).ratioTo(deciding(false, clients)),
              1.3));
    }
    for (int clients : CLIENTS) {
      targets.add(
          ratio("a decision with a key / without", Way.DESCRIBED_KEY, Way.DESCRIBED, clients));
    }
    for (int clients : CLIENTS) {
      targets.add(ratio("a key that is named / no key", Way.NAMED_KEY, Way.NAMED, clients));
    }
    targets.add(
        Target.atMost(
            "look-ups a second under a flood of unknown keys",
            figure(run -> run.flood().lookUpsPerSecond()),
            runs.get(0).flood().bound()));
    targets.add(
        Target.atLeast(
            "rows a second from journal to table / bare COPY",
            month(Month::ingestPerSecond).ratioTo(month(Month::copyPerSecond)),
            0.5));
    targets.add(millis("by user", month(month -> month.byUser().medianMillis())));
    targets.add(millis("by decision", month(month -> month.byDecision().medianMillis())));
    long wrong = runs.stream().map(ControlRun::month).mapToLong(ControlReport::wrong).sum();
    targets.add(
        new Target(
            "rows that DuckDB does not count, or that are left in the database",
            Page.grouped(wrong),
            "0",
            wrong == 0));
    return targets;
  }

  /** Whether the service was asked; in the first runs it was not. */
  private boolean hasRequests() {
    return runs.stream().noneMatch(run -> run.requests().isEmpty());
  }

  private Target ratio(String what, Way one, Way other, int clients) {
    return Target.atMost(
        "%s, %s clients".formatted(what, Page.grouped(clients)),
        nanos(one, clients).ratioTo(nanos(other, clients)),
        1.3);
  }

  private static Target millis(String what, Figure median) {
    return Target.atMost("a page of the month %s, ms".formatted(what), median, 50);
  }

  private static long wrong(Month month) {
    return Math.abs(month.rows() - month.duckDbRows()) + month.rowsLeft();
  }

  private MarkdownTable requests() {
    MarkdownTable table =
        new MarkdownTable(
            "requests", "clients", "requests/s", "µs to decide", "× without", "µs of the service");
    for (int clients : CLIENTS) {
      for (boolean hasKey : new boolean[] {false, true}) {
        table.row(
            hasKey ? "with key" : "without key",
            Page.grouped(clients),
            of(hasKey, clients, Requests::perSecond).show(0),
            deciding(hasKey, clients).show(2),
            deciding(hasKey, clients).ratioTo(deciding(false, clients)).show(2),
            of(hasKey, clients, Requests::cpuMicros).show(2));
      }
    }
    return table;
  }

  private Figure deciding(boolean hasKey, int clients) {
    return of(hasKey, clients, Requests::decidingMicros);
  }

  private Figure of(boolean hasKey, int clients, ToDoubleFunction<Requests> what) {
    return figure(
        run ->
            run.requests().stream()
                .filter(each -> each.hasKey() == hasKey && each.clients() == clients)
                .mapToDouble(what)
                .findFirst()
                .orElseThrow());
  }

  private MarkdownTable decisions() {
    MarkdownTable table =
        new MarkdownTable("decision", "clients", "ns", "× without", "limits", "bytes");
    for (int clients : CLIENTS) {
      decision(
          table, "described by a proxy, without key", Way.DESCRIBED, Way.DESCRIBED, clients, 1);
      decision(
          table, "described by a proxy, with key", Way.DESCRIBED_KEY, Way.DESCRIBED, clients, 1);
      decision(table, "named: an address", Way.NAMED, Way.NAMED, clients, 1);
      decision(table, "named: a key", Way.NAMED_KEY, Way.NAMED, clients, 1);
      decision(table, "named: a user with a monthly quota", Way.NAMED_USER, Way.NAMED, clients, 2);
    }
    return table;
  }

  private void decision(
      MarkdownTable table, String title, Way way, Way without, int clients, int limits) {
    table.row(
        title,
        Page.grouped(clients),
        nanos(way, clients).show(0),
        nanos(way, clients).ratioTo(nanos(without, clients)).show(2),
        Integer.toString(limits),
        Page.decimals(0, figure(run -> of(run, way, clients).bytes()).median()));
  }

  private Figure nanos(Way way, int clients) {
    return figure(run -> of(run, way, clients).nanos());
  }

  private static Decisions of(ControlRun run, Way way, int clients) {
    return run.decisions().stream()
        .filter(each -> each.way() == way && each.clients() == clients)
        .findFirst()
        .orElseThrow();
  }

  private MarkdownTable flood() {
    MarkdownTable table = new MarkdownTable("asked/s", "look-ups/s", "bound");
    table.row(
        figure(run -> run.flood().askedPerSecond()).show(0),
        figure(run -> run.flood().lookUpsPerSecond()).show(1),
        Page.grouped(runs.get(0).flood().bound()));
    return table;
  }

  private MarkdownTable rates() {
    MarkdownTable table =
        new MarkdownTable(Page.grouped(rows()) + " decisions", "seconds", "rows/s");
    rate(table, "bare COPY of text", Month::copyTextSeconds);
    rate(table, "bare COPY in binary form", Month::copyBinarySeconds);
    rate(table, "journal, delivery, COPY", Month::ingestSeconds);
    rate(table, "archive: written, read back, dropped", Month::archiveSeconds);
    rate(table, "DuckDB counts the archive", Month::duckDbSeconds);
    return table;
  }

  private void rate(MarkdownTable table, String title, ToDoubleFunction<Month> seconds) {
    table.row(
        title, month(seconds).show(2), Page.grouped(Math.round(rows() / month(seconds).median())));
  }

  private MarkdownTable queries() {
    MarkdownTable table =
        new MarkdownTable("a page of 100 over the month", "first ms", "middle ms", "slowest ms");
    query(table, "by user", Month::byUser);
    query(table, "by decision", Month::byDecision);
    return table;
  }

  private void query(MarkdownTable table, String title, Function<Month, Queries> queries) {
    table.row(
        title,
        month(month -> queries.apply(month).firstMillis()).show(1),
        month(month -> queries.apply(month).medianMillis()).show(1),
        month(month -> queries.apply(month).slowestMillis()).show(1));
  }

  private MarkdownTable sizes() {
    MarkdownTable table = new MarkdownTable("what", "takes");
    table.row("heap: a key that is known", bytes(run -> run.memory().bytesPerKey()));
    table.row("heap: a user who is known", bytes(run -> run.memory().bytesPerUser()));
    table.row("journal, a decision", bytes(run -> perRow(run, run.month().sizes().journal())));
    table.row(
        "PostgreSQL, a decision: row", bytes(run -> perRow(run, run.month().sizes().table())));
    table.row(
        "PostgreSQL, a decision: indexes",
        bytes(run -> perRow(run, run.month().sizes().indexes())));
    table.row(
        "PostgreSQL, a decision: log (WAL)", bytes(run -> perRow(run, run.month().sizes().wal())));
    table.row("archive, a decision", bytes(run -> perRow(run, run.month().sizes().parquet())));
    table.row(
        "PostgreSQL, a million decisions: rows and indexes",
        Page.decimals(
                0,
                figure(
                            run ->
                                perRow(
                                    run,
                                    run.month().sizes().table() + run.month().sizes().indexes()))
                        .median()
                    * 1_000_000
                    / MEGABYTE)
            + " MB");
    return table;
  }

  private String bytes(ToDoubleFunction<ControlRun> bytes) {
    return Page.decimals(0, figure(bytes).median()) + " B";
  }

  private static double perRow(ControlRun run, long bytes) {
    return bytes / (double) run.month().rows();
  }

  private int rows() {
    return runs.get(0).month().rows();
  }

  private Figure month(ToDoubleFunction<Month> what) {
    return figure(run -> what.applyAsDouble(run.month()));
  }

  /** One number for each round. */
  private Figure figure(ToDoubleFunction<ControlRun> what) {
    return new Figure(runs.stream().map(what::applyAsDouble).toList());
  }
}
