package dev.weir.backtest.html;

import dev.weir.backtest.suggest.Allowance;
import dev.weir.backtest.suggest.Share;
import dev.weir.backtest.suggest.Suggestions.Curve;
import dev.weir.backtest.suggest.Suggestions.Point;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * What limits of one window refuse, a line for each kind of limit: permits to the right, the share
 * that is refused upwards, both on logarithmic scales. Below the lowest mark is nothing.
 */
final class CurveChart {
  private static final int WIDTH = 340;
  private static final int HEIGHT = 210;
  private static final int LEFT = 48;
  private static final int RIGHT = 10;
  private static final int TOP = 8;
  private static final int BOTTOM = 26;

  /** The largest share that is drawn is 100 %, the lowest mark 10^-2 %, and below that nothing. */
  private static final double HIGHEST = 2;

  private static final double LOWEST = -2;
  private static final double NOTHING = -2.5;

  private final String id;
  private final String title;
  private final List<Curve> curves;
  private final Allowance allowance;
  private final Function<Point, Share> share;
  private final long mostPermits;

  CurveChart(
      String id,
      String title,
      List<Curve> curves,
      Allowance allowance,
      Function<Point, Share> share) {
    this.id = id;
    this.title = title;
    this.curves = curves;
    this.allowance = allowance;
    this.share = share;
    this.mostPermits =
        curves.stream()
            .flatMap(curve -> curve.points().stream())
            .mapToLong(point -> point.limit().permits())
            .max()
            .orElse(10);
  }

  /** What a curve is called. */
  static String kind(Curve curve) {
    return curve.algorithm() + (curve.burst() > 1 ? " with burst" : "");
  }

  /** The style of a curve of that kind, which is also in the legend. */
  static String style(String kind) {
    return "curve " + kind;
  }

  void write(Markup page) {
    page.open("figure");
    page.leaf("figcaption", title);
    page.open(
        "svg",
        "viewBox",
        "0 0 %d %d".formatted(WIDTH, HEIGHT),
        "role",
        "img",
        "aria-labelledby",
        id + "-title " + id + "-desc");
    page.leaf("title", title, "id", id + "-title");
    page.leaf(
        "desc",
        "A line for each algorithm; the limits that suffice are in the table.",
        "id",
        id + "-desc");
    writeShares(page);
    writePermits(page);
    writeAllowance(page);
    curves.forEach(curve -> writeCurve(page, curve));
    page.close().close();
  }

  private void writeShares(Markup page) {
    for (int power = (int) LOWEST; power <= HIGHEST; power++) {
      double y = y(power);
      writeLine(page, "grid", LEFT, y, WIDTH - RIGHT, y);
      String text =
          power < 0
              ? String.format(Locale.ROOT, "%." + -power + "f", Math.pow(10, power))
              : Long.toString(Math.round(Math.pow(10, power)));
      writeText(page, "end", LEFT - 6, y + 4, text + " %");
    }
    writeLine(page, "grid", LEFT, y(NOTHING), WIDTH - RIGHT, y(NOTHING));
    writeText(page, "end", LEFT - 6, y(NOTHING) + 4, "0");
  }

  private void writePermits(Markup page) {
    for (long permits = 1; permits <= mostPermits; permits *= 10) {
      writeLine(page, "tick", x(permits), HEIGHT - BOTTOM, x(permits), HEIGHT - BOTTOM + 4);
      writeText(page, "middle", x(permits), HEIGHT - 8, Figures.count(permits));
    }
  }

  private void writeAllowance(Markup page) {
    if (allowance.perMillion() > 0) {
      double y = y(Math.max(NOTHING, Math.log10(allowance.perMillion() / 10_000.0)));
      writeLine(page, "allowance", LEFT, y, WIDTH - RIGHT, y);
    }
  }

  private void writeCurve(Markup page, Curve curve) {
    StringBuilder places = new StringBuilder();
    for (Point point : curve.points()) {
      places
          .append(places.isEmpty() ? "" : " ")
          .append(Figures.place(x(point.limit().permits())))
          .append(',')
          .append(Figures.place(y(power(share.apply(point)))));
    }
    page.empty("polyline", "class", style(kind(curve)), "points", places.toString());
  }

  private static double power(Share share) {
    return share.part() == 0
        ? NOTHING
        : Math.max(NOTHING, Math.log10(100.0 * share.part() / share.whole()));
  }

  private double x(long permits) {
    double width = WIDTH - LEFT - RIGHT - 8;
    return LEFT
        + 4
        + width * Math.log10((double) permits) / Math.max(1, Math.log10((double) mostPermits));
  }

  private static double y(double power) {
    double height = HEIGHT - TOP - BOTTOM;
    return TOP + height * (HIGHEST - power) / (HIGHEST - NOTHING);
  }

  private static void writeLine(
      Markup page, String style, double x1, double y1, double x2, double y2) {
    page.empty(
        "line",
        "class",
        style,
        "x1",
        Figures.place(x1),
        "y1",
        Figures.place(y1),
        "x2",
        Figures.place(x2),
        "y2",
        Figures.place(y2));
  }

  private static void writeText(Markup page, String style, double x, double y, String text) {
    page.leaf("text", text, "class", style, "x", Figures.place(x), "y", Figures.place(y));
  }
}
