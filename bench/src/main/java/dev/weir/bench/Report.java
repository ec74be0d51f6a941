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
final class Report {

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

  private final StringBuilder text = new StringBuilder();

  private Report() {}

  static String of(RunFiles files) throws IOException {
    Report report = new Report();
    report.line("## JDK " + files.jdk());
    Optional<Machine> machine = files.machine();
    if (machine.isPresent()) {
      report.line(machine.get().toString());
    }
    report.verdicts(files);
    Optional<JmhResults> core = files.core();
    if (core.isPresent()) {
      report.single(core.get());
      report.keyed(core.get());
    }
    report.memory(files.memory());
    report.flood(files.flood());
    return report.text.toString();
  }

  private void verdicts(RunFiles files) throws IOException {
    List<Verdict> verdicts = new ArrayList<>();
    files.core().ifPresent(core -> verdicts.addAll(speed(core)));
    verdicts.addAll(memoryTargets(files.memory()));
    verdicts.addAll(floodTargets(files.flood()));
    MarkdownTable table = new MarkdownTable("target", "measured", "wanted", "");
    for (Verdict verdict : verdicts) {
      table.row(
          verdict.what(), verdict.measured(), verdict.target(), verdict.met() ? "ok" : "MISSED");
    }
    line("### Targets");
    line(table.toString());
  }

  /** The speed targets that there are results for. */
  static List<Verdict> speed(JmhResults core) {
    List<Verdict> verdicts = new ArrayList<>();
    for (int threads : THREADS) {
      for (Path path : Path.values()) {
        verdicts.addAll(singleTargets(core, path, threads));
      }
    }
    for (int threads : THREADS) {
      verdicts.addAll(keyedTargets(core, threads));
    }
    return verdicts;
  }

  private static List<Verdict> singleTargets(JmhResults core, Path path, int threads) {
    String where = ", " + path.name().toLowerCase(Locale.ROOT) + ", " + threads(threads);
    Single weir = new Single("weirSystem", path, threads);
    if (!core.has(weir)) {
      return List.of();
    }
    Single coarse = new Single("weirCoarse", path, threads);
    Single peer =
        SINGLE_PEERS.stream()
            .map(name -> new Single(name, path, threads))
            .min(Comparator.comparingDouble(single -> core.of(single).nanos().median()))
            .orElseThrow();
    return List.of(
        Verdict.atMost(
            "Weir / reference" + where,
            core.ratio(weir, new Single("reference", path, threads)),
            1.15),
        Verdict.below(
            "Weir / fastest peer (" + SINGLE.get(peer.contender()) + ")" + where,
            core.ratio(weir, peer),
            1),
        Verdict.atMost(
            "Weir coarse / resilience4j semaphore" + where,
            core.ratio(coarse, new Single("resilience4jSemaphore", path, threads)),
            1.5),
        Verdict.below("Weir bytes per call" + where, core.of(weir).bytes(), NO_BYTES));
  }

  private static List<Verdict> keyedTargets(JmhResults core, int threads) {
    String where = ", keyed uniform, " + threads(threads);
    Keyed weir = new Keyed(KeyedContender.WEIR, KeyOrder.UNIFORM, threads);
    if (!core.has(weir)) {
      return List.of();
    }
    Keyed reference = new Keyed(KeyedContender.REFERENCE, KeyOrder.UNIFORM, threads);
    Keyed bucket4j = new Keyed(KeyedContender.BUCKET4J, KeyOrder.UNIFORM, threads);
    Keyed recovering = new Keyed(KeyedContender.WEIR_RECOVERING, KeyOrder.UNIFORM, threads);
    return List.of(
        Verdict.atMost("Weir / reference" + where, core.ratio(weir, reference), 0.7),
        Verdict.atLeast(
            "ConcurrentHashMap + Bucket4j / Weir" + where,
            core.ratio(bucket4j, weir),
            threads == 1 ? 2.5 : 4),
        Verdict.below("Weir bytes per call" + where, core.of(weir).bytes(), NO_BYTES),
        Verdict.below(
            "Weir bytes per call" + where + ", keys that recover",
            core.of(recovering).bytes(),
            NO_BYTES));
  }

  static List<Verdict> memoryTargets(List<MemoryPerKey.Result> results) {
    return results.stream()
        .filter(result -> result.contender() == KeyedContender.WEIR)
        .map(
            result ->
                new Verdict(
                    "Weir bytes per key at " + grouped(result.keys()) + " keys",
                    decimals(1, result.bytesPerKey()),
                    "at most 40",
                    result.bytesPerKey() <= 40))
        .toList();
  }

  static List<Verdict> floodTargets(List<KeyFlood.Result> results) {
    List<Verdict> verdicts = new ArrayList<>();
    for (KeyFlood.Result result : results) {
      String where = ", " + title(result.kind());
      double ratio = result.floodRate() / result.calmRate();
      verdicts.add(
          new Verdict(
              "flood / calm throughput" + where,
              result.outOfMemory() ? "out of memory" : decimals(2, ratio),
              "at least 0.7",
              !result.outOfMemory() && ratio >= 0.7));
      verdicts.add(
          new Verdict(
              "exhausted key refused" + where,
              "%s of %s".formatted(grouped(result.probesRefused()), grouped(result.probes())),
              "all",
              result.probes() > 0 && result.probesRefused() == result.probes()));
    }
    return verdicts;
  }

  private void single(JmhResults core) {
    line("### One limiter");
    for (int threads : THREADS) {
      MarkdownTable table =
          new MarkdownTable(
              threads(threads),
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
      line(table.toString());
    }
  }

  private void keyed(JmhResults core) {
    line("### A million keys");
    for (int threads : THREADS) {
      MarkdownTable table =
          new MarkdownTable(
              threads(threads),
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
      line(table.toString());
    }
  }

  private static List<String> cells(
      JmhResults core, JmhResults.Subject subject, JmhResults.Subject reference, int decimals) {
    if (!core.has(subject)) {
      return List.of("", "", "");
    }
    JmhResults.Line line = core.of(subject);
    return List.of(
        line.nanos().show(decimals),
        decimals(2, core.ratio(subject, reference).median()),
        decimals(0, line.bytes().median()));
  }

  private void memory(List<MemoryPerKey.Result> results) {
    if (results.isEmpty()) {
      return;
    }
    List<Long> sizes = results.stream().map(MemoryPerKey.Result::keys).distinct().sorted().toList();
    List<String> header = new ArrayList<>(List.of("heap bytes per live key"));
    sizes.forEach(size -> header.add(grouped(size) + " keys"));
    MarkdownTable table = new MarkdownTable(header.toArray(String[]::new));
    for (KeyedContender contender : KeyedContender.values()) {
      List<String> cells = new ArrayList<>(List.of(contender.title));
      for (long size : sizes) {
        results.stream()
            .filter(result -> result.contender() == contender && result.keys() == size)
            .forEach(result -> cells.add(decimals(1, result.bytesPerKey())));
      }
      if (cells.size() == header.size()) {
        table.row(cells.toArray(String[]::new));
      }
    }
    line("### Memory");
    line(table.toString());
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
          grouped(result.keys()),
          grouped(Math.round(result.calmRate())),
          grouped(Math.round(result.floodRate())),
          grouped(Math.round(result.slowestFloodRate())),
          grouped(result.liveKeys()),
          grouped(result.dropped()),
          grouped(result.overflowed()));
    }
    line("### Key flood");
    line(table.toString());
  }

  private void line(String paragraph) {
    text.append(paragraph.stripTrailing()).append("\n\n");
  }

  private static String title(KeyFlood.Kind kind) {
    return "`" + kind.limit + "`";
  }

  private static String threads(int threads) {
    return threads == 1 ? "1 thread" : threads + " threads";
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String decimals(int decimals, double number) {
    return String.format(Locale.ROOT, "%." + decimals + "f", number);
  }
}
