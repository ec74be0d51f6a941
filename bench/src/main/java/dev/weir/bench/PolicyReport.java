package dev.weir.bench;

import dev.weir.bench.JmhResults.Subject.Method;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;

/** Turns the results about policies into Markdown: the targets first, then every figure. */
final class PolicyReport {
  static final String SUITE = "policy";

  private static final int[] THREADS = {1, 2};
  private static final int[] USERS = {1_000, 1_000_000};
  private static final int[] LIMITS = {1, 3};
  private static final int[] RULES = {10, 100, 10_000};

  private PolicyReport() {}

  static String of(RunFiles files) throws IOException {
    JmhResults results =
        files.jmh(SUITE).orElseThrow(() -> new NoSuchElementException("no results of " + SUITE));
    Page page = Page.of(files, SUITE);
    page.targets(targets(results));
    page.add("### Finding what holds");
    page.add(matching(results));
    page.add("### A whole check, 100 rules");
    for (int threads : THREADS) {
      page.add(checks(results, threads));
    }
    page.add("### Ten thousand rules, the first time in a new JVM");
    page.add(compiling(results));
    return page.toString();
  }

  static List<Target> targets(JmhResults results) {
    List<Target> targets = new ArrayList<>();
    targets.add(
        Target.atMost(
            "matching with 10,000 rules / with 10", results.ratio(match(10_000), match(10)), 3));
    for (int threads : THREADS) {
      for (int users : USERS) {
        String where = ", %s users, %s".formatted(Page.grouped(users), Page.threads(threads));
        Method check = call("check", 1, users, threads);
        targets.add(
            Target.atMost(
                "Gate.check / bare acquire" + where,
                results.ratio(check, call("bareAcquire", 1, users, threads)),
                3));
        targets.add(Target.atMost("bytes of a Gate.check" + where, results.of(check).bytes(), 300));
      }
    }
    targets.add(
        Target.atMost("compiling 10,000 rules, ms", results.of(single("compile")).time(), 500));
    return targets;
  }

  private static MarkdownTable matching(JmhResults results) {
    MarkdownTable table = new MarkdownTable("rules", "ns/op", "× 10 rules", "B/op");
    for (int rules : RULES) {
      JmhResults.Line line = results.of(match(rules));
      table.row(
          Page.grouped(rules),
          line.time().show(0),
          results.ratio(match(rules), match(10)).show(2),
          Page.decimals(0, line.bytes().median()));
    }
    return table;
  }

  private static MarkdownTable checks(JmhResults results, int threads) {
    MarkdownTable table =
        new MarkdownTable(
            Page.threads(threads),
            "users",
            "Gate.check ns/op",
            "bare acquire ns/op",
            "×",
            "Gate.check B/op",
            "bare acquire B/op");
    for (int limits : LIMITS) {
      for (int users : USERS) {
        Method check = call("check", limits, users, threads);
        Method bare = call("bareAcquire", limits, users, threads);
        table.row(
            limits == 1 ? "1 limit" : limits + " limits",
            Page.grouped(users),
            results.of(check).time().show(0),
            results.of(bare).time().show(0),
            results.ratio(check, bare).show(2),
            Page.decimals(0, results.of(check).bytes().median()),
            Page.decimals(0, results.of(bare).bytes().median()));
      }
    }
    return table;
  }

  private static MarkdownTable compiling(JmhResults results) {
    MarkdownTable table = new MarkdownTable("step", "ms");
    table.row("read a weir.toml", results.of(single("read")).time().show(0));
    table.row("compile", results.of(single("compile")).time().show(0));
    return table;
  }

  private static Method match(int rules) {
    return new Method("match", Map.of("rules", Integer.toString(rules)), 1);
  }

  private static Method call(String name, int limits, int users, int threads) {
    return new Method(
        name,
        Map.of("limits", Integer.toString(limits), "users", Integer.toString(users)),
        threads);
  }

  private static Method single(String name) {
    return new Method(name, Map.of(), 1);
  }
}
