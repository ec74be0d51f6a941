package dev.weir.testrunner;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Prints each class as it ends, and the summary. Safe for use by several threads. */
final class Progress {
  private static final int SLOWEST_SHOWN = 10;
  private static final int TRACE_LINES_SHOWN = 25;

  private final PrintStream out;
  private final List<Entry> entries = new ArrayList<>();
  private int passed;
  private int failed;
  private int skipped;

  Progress(PrintStream out) {
    this.out = out;
  }

  private record Entry(String module, ClassResult result) {
    String line() {
      return "%-20s %-70s %5d tests %7.1f s"
          .formatted(module, result.className(), result.tests(), result.millis() / 1_000.0);
    }
  }

  synchronized void finished(TestModule module, ClassResult result) {
    if (result.tests() == 0) {
      // An abstract class, or one whose tests are all at the other level.
      return;
    }
    Entry entry = new Entry(module.name(), result);
    entries.add(entry);
    passed += result.passed();
    failed += result.failures().size();
    skipped += result.skipped();
    String suffix = result.skipped() == 0 ? "" : ", " + result.skipped() + " skipped";
    out.println(entry.line() + suffix + (result.failures().isEmpty() ? "" : "  FAILED"));
    for (ClassResult.Failure failure : result.failures()) {
      out.println("  FAILED " + result.className() + ": " + failure.test());
      failure.trace().lines().limit(TRACE_LINES_SHOWN).forEach(line -> out.println("    " + line));
    }
  }

  /** Returns whether tests have run and all of them passed. */
  synchronized boolean isSuccess() {
    return failed == 0 && passed > 0;
  }

  /** Prints the slowest classes, the failures again, and the totals as the last line. */
  synchronized void printSummary() {
    if (entries.size() > SLOWEST_SHOWN) {
      out.println();
      out.println("the slowest " + SLOWEST_SHOWN + " classes:");
      entries.stream()
          .sorted(Comparator.comparingLong((Entry entry) -> entry.result.millis()).reversed())
          .limit(SLOWEST_SHOWN)
          .forEach(entry -> out.println(entry.line()));
    }
    out.println();
    for (Entry entry : entries) {
      for (ClassResult.Failure failure : entry.result.failures()) {
        out.printf("FAILED %s %s: %s%n", entry.module, entry.result.className(), failure.test());
      }
    }
    if (passed + failed == 0) {
      out.println("no test ran");
    }
    out.printf("%d passed, %d failed, %d skipped%n", passed, failed, skipped);
  }
}
