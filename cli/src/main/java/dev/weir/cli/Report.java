package dev.weir.cli;

import dev.weir.cli.Outcome.Refusals;
import dev.weir.cli.Terminal.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The outcome of a trial for people: a drawing, totals, and a sentence on the limit. */
final class Report {
  private final Trial trial;
  private final Outcome outcome;
  private final Terminal terminal;

  Report(Trial trial, Outcome outcome, Terminal terminal) {
    this.trial = trial;
    this.outcome = outcome;
    this.terminal = terminal;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    BarChart chart = new BarChart(outcome, terminal);
    lines.add("");
    lines.add("  " + terminal.paint(Color.STRONG, trial.limit().toString()) + "   " + pattern());
    lines.add("");
    lines.add("  requests per " + TimeText.format(outcome.sliceMicros()) + "   " + chart.legend());
    lines.addAll(chart.lines(trial.limit().capacity()));
    lines.add("");
    lines.addAll(totals());
    lines.add("");
    lines.addAll(refusals());
    lines.addAll(wrap(Explanation.of(trial.limit(), length()), terminal.columns() - 2));
    lines.add("");
    return lines;
  }

  private long length() {
    return trial.arrivals().lengthMicros();
  }

  private String pattern() {
    StringBuilder text = new StringBuilder();
    text.append(trial.arrivals().rate()).append(" for ").append(TimeText.exact(length()));
    for (Burst burst : trial.arrivals().bursts()) {
      text.append(", %d at %s".formatted(burst.size(), TimeText.format(burst.atMicros())));
    }
    if (trial.cost() != 1) {
      text.append(", cost ").append(trial.cost()).append(" each");
    }
    return text.toString();
  }

  private List<String> totals() {
    int width = Math.max(3, Long.toString(outcome.offered()).length());
    return List.of(
        total("offered", outcome.offered(), width, Color.STRONG),
        total("allowed", outcome.allowed(), width, Color.ALLOWED),
        total("refused", outcome.refused(), width, Color.REFUSED));
  }

  private String total(String name, long count, int width, Color color) {
    String number = String.format(Locale.ROOT, "%" + width + "d", count);
    String rate = trial.arrivals().rate().express(count, length());
    return "  %s  %s  %s   %s".formatted(name, terminal.paint(color, number), percent(count), rate);
  }

  private String percent(long count) {
    double share = outcome.offered() == 0 ? 0 : 100.0 * count / outcome.offered();
    return String.format(Locale.ROOT, "%5.1f %%", share);
  }

  private List<String> refusals() {
    if (outcome.refusals().isEmpty()) {
      return List.of("  nothing was refused", "");
    }
    Refusals refusals = outcome.refusals().get();
    String advice =
        refusals.retryAfterMicros() == 0
            ? "waiting never helps, cost %d is above the capacity %d"
                .formatted(trial.cost(), trial.limit().capacity())
            : "told to retry after " + TimeText.format(refusals.retryAfterMicros());
    return List.of(
        "  first refusal at %s, %s".formatted(TimeText.format(refusals.firstMicros()), advice),
        "  longest run of refusals: %d, from %s to %s"
            .formatted(
                refusals.longestRun(),
                TimeText.format(refusals.runFromMicros()),
                TimeText.format(refusals.runToMicros())),
        "");
  }

  private static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder(" ");
    for (String word : text.split(" ", -1)) {
      if (line.length() + 1 + word.length() > width && line.length() > 1) {
        lines.add(line.toString());
        line = new StringBuilder(" ");
      }
      line.append(' ').append(word);
    }
    lines.add(line.toString());
    return lines;
  }
}
