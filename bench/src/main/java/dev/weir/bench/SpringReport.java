package dev.weir.bench;

import static dev.weir.bench.SpringContender.BARE;
import static dev.weir.bench.SpringContender.BUCKET4J;
import static dev.weir.bench.SpringContender.RESILIENCE4J;
import static dev.weir.bench.SpringContender.WEIR;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Turns the runs of Spring applications into Markdown: the targets first, then every figure. */
final class SpringReport {
  static final String SUITE = "spring";

  private static final double LEAST_OF_BARE = 0.93;

  private final List<SpringRun> runs;

  private SpringReport(List<SpringRun> runs) {
    this.runs = runs;
  }

  static String of(RunFiles files) throws IOException {
    SpringReport report = new SpringReport(files.spring());
    Page page = Page.of(files, SUITE);
    page.targets(report.targets());
    page.add("### As fast as it goes");
    for (int clients : report.clientCounts()) {
      page.add(report.table(clients));
    }
    return page.toString();
  }

  static List<Target> targets(List<SpringRun> runs) {
    return new SpringReport(runs).targets();
  }

  private List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (int clients : clientCounts()) {
      targets.add(
          Target.atLeast(
              "requests/s with %s / without, %s".formatted(WEIR.title, named(clients)),
              perSecond(WEIR, clients).ratioTo(perSecond(BARE, clients)),
              LEAST_OF_BARE));
      targets.add(lessOverhead(BUCKET4J, clients));
      targets.add(lessOverhead(RESILIENCE4J, clients));
    }
    long bad = runs.stream().mapToLong(SpringRun::bad).sum();
    targets.add(
        new Target("requests that failed or were refused", Page.grouped(bad), "0", bad == 0));
    return targets;
  }

  /**
   * That Weir adds less than a peer. Whether it does is told by the difference: where a peer seems
   * to add nothing, or less than that, a ratio says nothing.
   */
  private Target lessOverhead(SpringContender peer, int clients) {
    Figure weir = overhead(WEIR, clients);
    Figure other = overhead(peer, clients);
    return new Target(
        "overhead of %s / of %s, %s".formatted(WEIR.title, peer.title, named(clients)),
        weir.ratioTo(other).show(2),
        "below 1",
        weir.minus(other).median() < 0);
  }

  private MarkdownTable table(int clients) {
    MarkdownTable table =
        new MarkdownTable(
            named(clients), "requests/s", "× bare", "CPU µs each", "overhead µs", "bad");
    for (SpringContender contender : SpringContender.values()) {
      Figure perSecond = perSecond(contender, clients);
      table.row(
          contender.title,
          perSecond.show(0),
          perSecond.ratioTo(perSecond(contender.bare(), clients)).show(2),
          cpu(contender, clients).show(1),
          contender.isBare() ? "" : overhead(contender, clients).show(1),
          Page.grouped(bad(contender, clients)));
    }
    return table;
  }

  private List<Integer> clientCounts() {
    return runs.stream().map(SpringRun::clients).distinct().sorted().toList();
  }

  private Figure perSecond(SpringContender contender, int clients) {
    return figure(contender, clients, SpringRun::perSecond);
  }

  private Figure cpu(SpringContender contender, int clients) {
    return figure(contender, clients, SpringRun::cpuMicros);
  }

  /** What a request takes more of a core than without limits on the same Spring Boot. */
  private Figure overhead(SpringContender contender, int clients) {
    return cpu(contender, clients).minus(cpu(contender.bare(), clients));
  }

  /** One number for each round. */
  private Figure figure(SpringContender contender, int clients, ToDoubleFunction<SpringRun> what) {
    return new Figure(
        runs.stream()
            .filter(run -> run.contender() == contender && run.clients() == clients)
            .map(what::applyAsDouble)
            .toList());
  }

  private long bad(SpringContender contender, int clients) {
    return runs.stream()
        .filter(run -> run.contender() == contender && run.clients() == clients)
        .mapToLong(SpringRun::bad)
        .sum();
  }

  private static String named(int clients) {
    return Page.grouped(clients) + " clients";
  }
}
