package dev.weir.bench;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Markdown about the results of one JDK, paragraph by paragraph. */
final class Page {
  private final StringBuilder text = new StringBuilder();

  /** A page that starts with what the results were measured on. */
  static Page of(RunFiles files, String suite) throws IOException {
    Page page = new Page();
    page.add("## JDK " + files.jdk());
    Optional<Machine> machine = files.machine(suite);
    if (machine.isPresent()) {
      page.add(machine.get().toString());
    }
    return page;
  }

  void add(Object paragraph) {
    text.append(paragraph.toString().stripTrailing()).append("\n\n");
  }

  void targets(List<Target> targets) {
    MarkdownTable table = new MarkdownTable("target", "measured", "wanted", "");
    for (Target target : targets) {
      table.row(target.what(), target.measured(), target.wanted(), target.met() ? "ok" : "MISSED");
    }
    add("### Targets");
    add(table);
  }

  @Override
  public String toString() {
    return text.toString();
  }

  static String threads(int threads) {
    return threads == 1 ? "1 thread" : threads + " threads";
  }

  static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  static String decimals(int decimals, double number) {
    return String.format(Locale.ROOT, "%." + decimals + "f", number);
  }
}
