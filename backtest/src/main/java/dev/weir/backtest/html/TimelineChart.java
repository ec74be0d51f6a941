package dev.weir.backtest.html;

import dev.weir.backtest.BacktestReport.Step;
import dev.weir.backtest.BacktestReport.Timeline;
import dev.weir.backtest.Comparison;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Requests over time as stacked bars: those that are refused below, those that pass above. */
final class TimelineChart {
  private static final int WIDTH = 900;
  private static final int LEFT = 70;
  private static final int TOP = 10;
  private static final int BOTTOM = 24;
  private static final int MARKS = 6;

  private final String id;
  private final String title;
  private final int height;
  private final boolean isRefusedOnly;
  private final boolean isCompared;
  private final Timeline timeline;
  private final Scale scale;

  /** One part of a bar. */
  private record Part(String style, long count) {}

  private TimelineChart(
      String id,
      String title,
      int height,
      boolean refusedOnly,
      boolean compared,
      Timeline timeline) {
    this.id = id;
    this.title = title;
    this.height = height;
    this.isRefusedOnly = refusedOnly;
    this.isCompared = compared;
    this.timeline = timeline;
    this.scale = Scale.upTo(timeline.steps().stream().mapToLong(this::largest).max().orElse(0));
  }

  /** All requests. */
  static TimelineChart ofAll(Timeline timeline, boolean isCompared) {
    return new TimelineChart("all", "Requests over time", 240, false, isCompared, timeline);
  }

  /** Only what is refused, or was, on a scale of its own. */
  static TimelineChart ofRefused(Timeline timeline, boolean isCompared) {
    return new TimelineChart(
        "refused", "Refused requests over time", 170, true, isCompared, timeline);
  }

  private long largest(Step step) {
    return parts(step.comparison()).stream().mapToLong(Part::count).sum();
  }

  /** From the bottom up. */
  private List<Part> parts(Comparison comparison) {
    long newly = isCompared ? comparison.newlyRefused() : 0;
    long noLonger = isCompared ? comparison.noLongerRefused() : 0;
    List<Part> parts = new ArrayList<>();
    parts.add(new Part("newly", newly));
    parts.add(new Part("refused", comparison.after().refused() - newly));
    parts.add(new Part("no-longer", noLonger));
    if (!isRefusedOnly) {
      parts.add(new Part("passed", comparison.after().allowed() - noLonger));
    }
    return parts;
  }

  void write(Markup page) {
    page.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", title);
    page.open(
        "svg",
        "class",
        "chart",
        "viewBox",
        "0 0 %d %d".formatted(WIDTH, height),
        "role",
        "img",
        "aria-labelledby",
        id + "-title " + id + "-desc");
    page.leaf("title", title, "id", id + "-title");
    page.leaf("desc", description(), "id", id + "-desc");
    writeScale(page);
    for (int i = 0; i < timeline.steps().size(); i++) {
      writeBar(page, i, timeline.steps().get(i));
    }
    writeTimes(page);
    page.close().close();
  }

  private String description() {
    return "Stacked bars, one for each %s; the highest has %s requests. The numbers are in the tables below."
        .formatted(
            Figures.length(step()),
            Figures.count(timeline.steps().stream().mapToLong(this::largest).max().orElse(0)));
  }

  private Duration step() {
    return Duration.of(timeline.stepMicros(), ChronoUnit.MICROS);
  }

  private void writeScale(Markup page) {
    for (long mark : scale.marks()) {
      String y = Figures.place(y(mark));
      page.empty("line", "class", "grid", "x1", "" + LEFT, "x2", "" + WIDTH, "y1", y, "y2", y);
      page.leaf(
          "text",
          Figures.count(mark),
          "class",
          "end",
          "x",
          "" + (LEFT - 8),
          "y",
          Figures.place(y(mark) + 4));
    }
  }

  private double y(long count) {
    return height - BOTTOM - (double) (height - TOP - BOTTOM) * count / scale.top();
  }

  private double slot() {
    return (double) (WIDTH - LEFT) / Math.max(1, timeline.steps().size());
  }

  private void writeBar(Markup page, int index, Step step) {
    if (step.comparison().after().requests() == 0) {
      return;
    }
    double slot = Math.min(slot(), 60);
    double gap = Math.min(2, slot / 5);
    page.open("g").leaf("title", tip(step));
    long below = 0;
    for (Part part : parts(step.comparison())) {
      if (part.count > 0) {
        page.empty(
            "rect",
            "class",
            part.style,
            "x",
            Figures.place(LEFT + index * slot() + gap / 2),
            "width",
            Figures.place(slot - gap),
            "y",
            Figures.place(y(below + part.count)),
            "height",
            Figures.place(Math.max(0.5, y(below) - y(below + part.count))));
      }
      below += part.count;
    }
    page.close();
  }

  private String tip(Step step) {
    Comparison comparison = step.comparison();
    String text =
        "%s: %s requests, %s refused"
            .formatted(
                Figures.time(Figures.instant(step.atMicros())),
                Figures.count(comparison.after().requests()),
                Figures.count(comparison.after().refused()));
    return isCompared
        ? text
            + ", %s newly, %s no longer"
                .formatted(
                    Figures.count(comparison.newlyRefused()),
                    Figures.count(comparison.noLongerRefused()))
        : text;
  }

  private void writeTimes(Markup page) {
    int count = timeline.steps().size();
    Duration length = step().multipliedBy(count);
    int apart = Math.max(1, -Math.floorDiv(-count, MARKS));
    for (int i = 0; i < count; i += apart) {
      double x = LEFT + i * slot();
      page.empty(
          "line",
          "class",
          "tick",
          "x1",
          Figures.place(x),
          "x2",
          Figures.place(x),
          "y1",
          "" + (height - BOTTOM),
          "y2",
          "" + (height - BOTTOM + 5));
      page.leaf(
          "text",
          Figures.mark(Figures.instant(timeline.steps().get(i).atMicros()), length),
          "x",
          Figures.place(x + 3),
          "y",
          "" + (height - 6));
    }
  }
}
