package dev.weir.bench;

import dev.weir.bench.JmhResults.Subject.Keyed;
import dev.weir.bench.JmhResults.Subject.Single;
import dev.weir.bench.SingleLimiterBenchmark.Path;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Turns the raw results of one JDK into Markdown: the targets first, then every figure. */
final class CoreReport {

  static final String SUITE = "core";

  /** The contenders of {@link SingleLimiterBenchmark} by method, in the order of the table. */
  private static final Map<String, String> SINGLE = new LinkedHashMap<>();

  static {
    SINGLE.put("nanoTime", "System.nanoTime alone");
    SINGLE.put("reference", "AtomicLong + nanoTime (reference)");
    SINGLE.put("weirSystem", "Weir, system clock");
    SINGLE.put("weirCoarse", "Weir, coarse clock");
    SINGLE.put("bucket4j", "Bucket4j");
    SINGLE.put("guava", "Guava");
    SINGLE.put("resilience4jAtomic", "resilience4j, atomic");
    SINGLE.put("resilience4jSemaphore", "resilience4j, semaphore");
  }

  private static final List<String> SINGLE_PEERS =
      List.of("bucket4j", "guava", "resilience4jAtomic");
  private static final int[] THREADS = {1, 2};

  /** What JMH cannot tell from nothing: the profiler itself allocates a little. */
  private static final double NO_BYTES = 0.5;

  private final Page page;

  private CoreReport(Page page) {
    this.page = page;
  }

  static String of(RunFiles files) throws IOException {
    CoreReport report = new CoreReport(Page.of(files, SUITE));
    Optional<JmhResults> core = files.jmh(SUITE);
    List<Target> targets = new ArrayList<>();
    core.ifPresent(results -> targets.addAll(speed(results)));
    targets.addAll(memoryTargets(files.memory()));
    targets.addAll(floodTargets(files.flood()));
    report.page.targets(targets);
    if (core.isPresent()) {
      report.single(core.get());
      report.keyed(core.get());
    }
    report.memory(files.memory());
    report.flood(files.flood());
    return report.page.toString();
  }

  /** The speed targets that there are results for. */
  static List<Target> speed(JmhResults core) {
    List<Target> targets = new ArrayList<>();
    for (int threads : THREADS) {
      for (Path path : Path.values()) {
        targets.addAll(singleTargets(core, path, threads));
      }
    }
    for (int threads : THREADS) {
      targets.addAll(keyedTargets(core, threads));
    }
    return targets;
  }

  private static List<Target> singleTargets(JmhResults core, Path path, int threads) {
    String where = ", " + path.name().toLowerCase(Locale.ROOT) + ", " + Page.threads(threads);
    Single weir = new Single("weirSystem", path, threads);
    if (!core.has(weir)) {
      return List.of();
    }
    Single coarse = new Single("weirCoarse", path, threads);
    Single peer =
        SINGLE_PEERS.stream()
            .map(name -> new Single(name, path, threads))
            .min(Comparator.comparingDouble(single -> core.of(single).time().median()))
            .orElseThrow();
    return List.of(
        Target.atMost(
            "Weir / reference" + where,
            core.ratio(weir, new Single("reference", path, threads)),
            1.15),
        Target.below(
            "Weir / fastest peer (" + SINGLE.get(peer.contender()) + ")" + where,
            core.ratio(weir, peer),
            1),
        Target.atMost(
            "Weir coarse / resilience4j semaphore" + where,
            core.ratio(coarse, new Single("resilience4jSemaphore", path, threads)),
            1.5),
        Target.below("Weir bytes per call" + where, core.of(weir).bytes(), NO_BYTES));
  }

  private static List<Target> keyedTargets(JmhResults core, int threads) {
    String where = ", keyed uniform, " + Page.threads(threads);
    Keyed weir = new Keyed(KeyedContender.WEIR, KeyOrder.UNIFORM, threads);
    if (!core.has(weir)) {
      return List.of();
    }
    Keyed reference = new Keyed(KeyedContender.REFERENCE, KeyOrder.UNIFORM, threads);
    Keyed bucket4j = new Keyed(KeyedContender.BUCKET4J, KeyOrder.UNIFORM, threads);
    Keyed recovering = new Keyed(KeyedContender.WEIR_RECOVERING, KeyOrder.UNIFORM, threads);
    return List.of(
        Target.atMost("Weir / reference" + where, core.ratio(weir, reference), 0.7),
        Target.atLeast(
            "ConcurrentHashMap + Bucket4j / Weir" + where,
            core.ratio(bucket4j, weir),
            threads == 1 ? 2.5 : 4),
        Target.below("Weir bytes per call" + where, core.of(weir).bytes(), NO_BYTES),
        Target.below(
            "Weir bytes per call" + where + ", keys that recover",
            core.of(recovering).bytes(),
            NO_BYTES));
  }

  static List<Target> memoryTargets(List<MemoryPerKey.Result> results) {
    return results.stream()
        .filter(result -> result.contender() == KeyedContender.WEIR)
        .map(
            result ->
                new Target(
                    "Weir bytes per key at " + Page.grouped(result.keys()) + " keys",
                    Page.decimals(1, result.bytesPerKey()),
                    "at most 40",
                    result.bytesPerKey() <= 40))
        .toList();
  }

  static List<Target> floodTargets(List<KeyFlood.Result> results) {
    List<Target> targets = new ArrayList<>();
    for (KeyFlood.Result result : results) {
      String where = ", " + title(result.kind());
      double ratio = result.floodRate() / result.calmRate();
      targets.add(
          new Target(
              "flood / calm throughput" + where,
              result.outOfMemory() ? "out of memory" : Page.decimals(2, ratio),
              "at least 0.7",
              !result.outOfMemory() && ratio >= 0.7));
      targets.add(
          new Target(
              "exhausted key refused" + where,
              "%s of %s"
                  .formatted(Page.grouped(result.probesRefused()), Page.grouped(result.probes())),
              "all",
              result.probes() > 0 && result.probesRefused() == result.probes()));
    }
    return targets;
  }

  private void single(JmhResults core) {
    page.add("### One limiter");
    for (int threads : THREADS) {
      MarkdownTable table =
          new MarkdownTable(
              Page.threads(threads),
              "allowed ns/op",
              "× reference",
              "B/op",
              "refused ns/op",
              "× reference",
              "B/op");
      for (String contender : SINGLE.keySet()) {
        List<String> cells = new ArrayList<>(List.of(SINGLE.getOrDefault(contender, contender)));
        for (Path path : Path.values()) {
          cells.addAll(
              cells(
                  core,
                  new Single(contender, path, threads),
                  new Single("reference", path, threads),
                  1));
        }
        table.row(cells.toArray(String[]::new));
      }
      page.add(table);
    }
  }

  private void keyed(JmhResults core) {
    page.add("### A million keys");
    for (int threads : THREADS) {
      MarkdownTable table =
          new MarkdownTable(
              Page.threads(threads),
              "uniform ns/op",
              "× reference",
              "B/op",
              "Zipf ns/op",
              "× reference",
              "B/op");
      for (KeyedContender contender : KeyedContender.values()) {
        List<String> cells = new ArrayList<>(List.of(contender.title));
        for (KeyOrder order : KeyOrder.values()) {
          cells.addAll(
              cells(
                  core,
                  new Keyed(contender, order, threads),
                  new Keyed(KeyedContender.REFERENCE, order, threads),
                  0));
        }
        table.row(cells.toArray(String[]::new));
      }
      page.add(table);
    }
  }

  private static List<String> cells(
      JmhResults core, JmhResults.Subject subject, JmhResults.Subject reference, int decimals) {
    if (!core.has(subject)) {
      return List.of("", "", "");
    }
    JmhResults.Line line = core.of(subject);
    return List.of(
        line.time().show(decimals),
        Page.decimals(2, core.ratio(subject, reference).median()),
        Page.decimals(0, line.bytes().median()));
  }

  private void memory(List<MemoryPerKey.Result> results) {
    if (results.isEmpty()) {
      return;
    }
    List<Long> sizes = results.stream().map(MemoryPerKey.Result::keys).distinct().sorted().toList();
    List<String> header = new ArrayList<>(List.of("heap bytes per live key"));
    sizes.forEach(size -> header.add(Page.grouped(size) + " keys"));
    MarkdownTable table = new MarkdownTable(header.toArray(String[]::new));
    for (KeyedContender contender : KeyedContender.values()) {
      List<String> cells = new ArrayList<>(List.of(contender.title));
      for (long size : sizes) {
        results.stream()
            .filter(result -> result.contender() == contender && result.keys() == size)
            .forEach(result -> cells.add(Page.decimals(1, result.bytesPerKey())));
      }
      if (cells.size() == header.size()) {
        table.row(cells.toArray(String[]::new));
      }
    }
    page.add("### Memory");
    page.add(table);
  }

  private void flood(List<KeyFlood.Result> results) {
    if (results.isEmpty()) {
      return;
    }
    MarkdownTable table =
        new MarkdownTable(
            "limit of the keys",
            "distinct keys",
            "calm calls/s",
            "flood calls/s",
            "slowest 100,000",
            "live keys",
            "dropped",
            "overflowed");
    for (KeyFlood.Result result : results) {
      table.row(
          title(result.kind()),
          Page.grouped(result.keys()),
          Page.grouped(Math.round(result.calmRate())),
          Page.grouped(Math.round(result.floodRate())),
          Page.grouped(Math.round(result.slowestFloodRate())),
          Page.grouped(result.liveKeys()),
          Page.grouped(result.dropped()),
          Page.grouped(result.overflowed()));
    }
    page.add("### Key flood");
    page.add(table);
  }

  private static String title(KeyFlood.Kind kind) {
    return "`" + kind.limit + "`";
  }
}
