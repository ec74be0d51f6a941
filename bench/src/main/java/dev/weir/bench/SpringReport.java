package dev.weir.bench;

import static dev.weir.bench.SpringContender.BARE;
import static dev.weir.bench.SpringContender.BUCKET4J;
import static dev.weir.bench.SpringContender.RESILIENCE4J;
import static dev.weir.bench.SpringContender.WEIR;
import static dev.weir.bench.SpringContender.WEIR_FILTER;

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
    for (SpringLoad load : report.loads()) {
      page.add(report.table(load));
    }
    return page.toString();
  }

  static List<Target> targets(List<SpringRun> runs) {
    return new SpringReport(runs).targets();
  }

  private List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (SpringLoad load : loads()) {
      targets.add(
          Target.atLeast(
              "requests/s with %s / without, %s".formatted(WEIR.title, load.title()),
              perSecond(WEIR, load).ratioTo(perSecond(BARE, load)),
              LEAST_OF_BARE));
      targets.add(lessOverhead(WEIR, BUCKET4J, load));
      targets.add(lessOverhead(WEIR_FILTER, RESILIENCE4J, load));
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
  private Target lessOverhead(SpringContender weir, SpringContender peer, SpringLoad load) {
    Figure ours = overhead(weir, load);
    Figure theirs = overhead(peer, load);
    return new Target(
        "overhead of %s / of %s, %s".formatted(weir.title, peer.title, load.title()),
        ours.ratioTo(theirs).show(2),
        "below 1",
        ours.minus(theirs).median() < 0);
  }

  private MarkdownTable table(SpringLoad load) {
    MarkdownTable table =
        new MarkdownTable(
            load.title(), "requests/s", "× bare", "CPU µs each", "overhead µs", "bad");
    for (SpringContender contender : SpringContender.values()) {
      Figure perSecond = perSecond(contender, load);
      table.row(
          contender.title,
          perSecond.show(0),
          perSecond.ratioTo(perSecond(contender.bare(), load)).show(2),
          cpu(contender, load).show(1),
          contender.isBare() ? "" : overhead(contender, load).show(1),
          Page.grouped(bad(contender, load)));
    }
    return table;
  }

  private List<SpringLoad> loads() {
    return runs.stream().map(SpringRun::load).distinct().toList();
  }

  private Figure perSecond(SpringContender contender, SpringLoad load) {
    return figure(contender, load, SpringRun::perSecond);
  }

  private Figure cpu(SpringContender contender, SpringLoad load) {
    return figure(contender, load, SpringRun::cpuMicros);
  }

  /** What a request takes more of a core than without limits. */
  private Figure overhead(SpringContender contender, SpringLoad load) {
    return cpu(contender, load).minus(cpu(contender.bare(), load));
  }

  /** One number for each round. */
  private Figure figure(
      SpringContender contender, SpringLoad load, ToDoubleFunction<SpringRun> what) {
    return new Figure(
        runs.stream()
            .filter(run -> run.contender() == contender && run.load().equals(load))
            .map(what::applyAsDouble)
            .toList());
  }

  private long bad(SpringContender contender, SpringLoad load) {
    return runs.stream()
        .filter(run -> run.contender() == contender && run.load().equals(load))
        .mapToLong(SpringRun::bad)
        .sum();
  }
}
