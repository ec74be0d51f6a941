package dev.weir.bench;

import static dev.weir.bench.RedisContender.BUCKET4J;
import static dev.weir.bench.RedisContender.EVALSHA;
import static dev.weir.bench.RedisContender.WEIR;
import static dev.weir.bench.RedisContender.WEIR_REFUSED;
import static dev.weir.bench.RedisContender.WEIR_THREE_LIMITS;

import dev.weir.bench.RedisRun.Load;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Turns the runs of contenders on Redis into Markdown: the targets first, then every figure. */
final class RedisReport {
  static final String SUITE = "redis";

  private final List<RedisRun> runs;

  private RedisReport(List<RedisRun> runs) {
    this.runs = runs;
  }

  static String of(RunFiles files) throws IOException {
    RedisReport report = new RedisReport(files.redis());
    Page page = Page.of(files, SUITE);
    page.add(report.server());
    page.targets(report.targets());
    page.add("### In flight");
    for (int keys : report.keySets()) {
      for (int inFlight : RedisLoad.IN_FLIGHT) {
        page.add(report.loads(keys, inFlight));
      }
    }
    page.add("### One by one, a thousand a second");
    for (int keys : report.keySets()) {
      page.add(report.calm(keys));
    }
    page.add("### Memory of one client");
    page.add(report.memory());
    return page.toString();
  }

  static List<Target> targets(List<RedisRun> runs) {
    return new RedisReport(runs).targets();
  }

  private List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (int keys : keySets()) {
      targets.add(rate(WEIR, EVALSHA, keys, 1.8));
      targets.add(rate(WEIR, BUCKET4J, keys, 3));
      targets.add(rate(WEIR_THREE_LIMITS, EVALSHA, keys, 0.8));
      targets.add(rate(WEIR_REFUSED, WEIR, keys, 20));
      targets.add(
          Target.atMost(
              WEIR.title + ", one by one, p99 ms, " + named(keys),
              figure(WEIR, keys, run -> run.calm().p99Micros() / 1_000),
              2));
    }
    long bad = bad();
    targets.add(Target.atMost("bytes of a client, " + WEIR.title, bytes(WEIR), 96));
    targets.add(
        new Target("requests that failed or got a wrong answer", Page.grouped(bad), "0", bad == 0));
    return targets;
  }

  private Target rate(RedisContender one, RedisContender other, int keys, double wanted) {
    int inFlight = RedisLoad.USUAL_IN_FLIGHT;
    return Target.atLeast(
        "%s / %s, %s, %s".formatted(one.title, other.title, named(keys), inFlight(inFlight)),
        load(one, keys, inFlight, Load::perSecond)
            .ratioTo(load(other, keys, inFlight, Load::perSecond)),
        wanted);
  }

  private MarkdownTable loads(int keys, int inFlight) {
    MarkdownTable table =
        new MarkdownTable(
            named(keys) + ", " + inFlight(inFlight),
            "decisions/s",
            "× reference",
            "p50 µs",
            "p99 µs",
            "Redis CPU",
            "script calls each",
            "bad");
    Figure reference = load(EVALSHA, keys, inFlight, Load::perSecond);
    for (RedisContender contender : contenders()) {
      Function<ToDoubleFunction<Load>, Figure> figure =
          what -> load(contender, keys, inFlight, what);
      Figure perSecond = figure.apply(Load::perSecond);
      table.row(
          contender.title,
          perSecond.show(0),
          perSecond.ratioTo(reference).show(2),
          figure.apply(Load::p50Micros).show(0),
          figure.apply(Load::p99Micros).show(0),
          Page.decimals(2, figure.apply(Load::redisCpu).median()),
          Page.decimals(3, figure.apply(Load::scriptCalls).median()),
          Page.grouped(bad(figure)));
    }
    return table;
  }

  private MarkdownTable calm(int keys) {
    MarkdownTable table = new MarkdownTable(named(keys), "p50 µs", "p99 µs", "Redis CPU", "bad");
    for (RedisContender contender : contenders()) {
      Function<ToDoubleFunction<Load>, Figure> figure =
          what -> figure(contender, keys, run -> what.applyAsDouble(run.calm()));
      table.row(
          contender.title,
          figure.apply(Load::p50Micros).show(0),
          figure.apply(Load::p99Micros).show(0),
          Page.decimals(3, figure.apply(Load::redisCpu).median()),
          Page.grouped(bad(figure)));
    }
    return table;
  }

  private MarkdownTable memory() {
    MarkdownTable table = new MarkdownTable("contender", "keys in Redis", "bytes");
    for (RedisContender contender : contenders()) {
      Stream<RedisRun> own = runs.stream().filter(run -> run.contender() == contender);
      table.row(
          contender.title,
          Integer.toString(own.findFirst().orElseThrow().memory().redisKeys()),
          Page.decimals(0, bytes(contender).median()));
    }
    return table;
  }

  /** Also without those that had no part in the run yet. */
  private List<RedisContender> contenders() {
    return runs.stream().map(RedisRun::contender).distinct().sorted().toList();
  }

  private List<Integer> keySets() {
    return runs.stream().map(RedisRun::keys).distinct().sorted().toList();
  }

  private String server() {
    return String.join(", ", runs.stream().map(RedisRun::server).distinct().sorted().toList());
  }

  private Figure bytes(RedisContender contender) {
    return new Figure(
        runs.stream()
            .filter(run -> run.contender() == contender)
            .map(run -> (double) run.memory().bytes())
            .toList());
  }

  private Figure load(
      RedisContender contender, int keys, int inFlight, ToDoubleFunction<Load> what) {
    return figure(
        contender,
        keys,
        run ->
            run.loads().stream()
                .filter(load -> load.inFlight() == inFlight)
                .mapToDouble(what)
                .findFirst()
                .orElseThrow());
  }

  /** One number for each round. */
  private Figure figure(RedisContender contender, int keys, ToDoubleFunction<RedisRun> what) {
    return new Figure(
        runs.stream()
            .filter(run -> run.contender() == contender && run.keys() == keys)
            .map(what::applyAsDouble)
            .toList());
  }

  private long bad() {
    return runs.stream()
        .flatMap(run -> Stream.concat(run.loads().stream(), Stream.of(run.calm())))
        .mapToLong(RedisReport::bad)
        .sum();
  }

  private static long bad(Load load) {
    return load.failed() + load.wrong();
  }

  private static long bad(Function<ToDoubleFunction<Load>, Figure> figure) {
    return Math.round(
        figure.apply(RedisReport::bad).rounds().stream().mapToDouble(Double::doubleValue).sum());
  }

  private static String named(int keys) {
    return Page.grouped(keys) + " keys";
  }

  private static String inFlight(int inFlight) {
    return Page.grouped(inFlight) + " in flight";
  }
}
