package dev.weir.cli;

import dev.weir.Algorithm;
import dev.weir.Limit;
import dev.weir.backtest.suggest.Share;
import dev.weir.backtest.suggest.Suggestions;
import dev.weir.backtest.suggest.Suggestions.Curve;
import dev.weir.backtest.suggest.Suggestions.OfEndpoint;
import dev.weir.backtest.suggest.Suggestions.Point;
import dev.weir.cli.Terminal.Color;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Limits that would refuse little, for people: a table for each endpoint, with small curves. */
final class SuggestionsText {
  private static final String LEVELS = "·▁▂▃▄▅▆▇█";
  private static final String ASCII_LEVELS = "_.:-=+*#@";

  private final Suggestions suggestions;
  private final Terminal terminal;
  private final int top;

  SuggestionsText(Suggestions suggestions, Terminal terminal, int top) {
    this.suggestions = suggestions;
    this.terminal = terminal;
    this.top = top;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("");
    lines.add(
        terminal.paint(Color.STRONG, "suggestions")
            + ": limits for each client that refuse at most "
            + suggestions.allowance()
            + " %");
    List<OfEndpoint> all = suggestions.endpoints();
    for (OfEndpoint endpoint : all.subList(0, Math.min(top, all.size()))) {
      lines.add("");
      lines.add("  " + title(endpoint));
      table(endpoint).lines().forEach(line -> lines.add("    " + line));
    }
    if (all.size() > top) {
      lines.add("");
      lines.add("  and %s more; see --top".formatted(number(all.size() - top)));
    }
    return lines;
  }

  private String title(OfEndpoint endpoint) {
    String name = terminal.paint(Color.STRONG, PlainText.of(endpoint.endpoint()));
    String requests = counted(endpoint.requests(), "request");
    String clients = counted(endpoint.sampledClients(), "client");
    return endpoint.isExact()
        ? "%s: %s of %s".formatted(name, requests, clients)
        : "%s: %s, estimated from a sample of %s, one in %s"
            .formatted(name, requests, clients, number(endpoint.oneIn()));
  }

  private Columns table(OfEndpoint endpoint) {
    Columns columns = Columns.named("algorithm", "of requests", "of clients", "clients refused");
    Algorithm before = null;
    for (Curve curve : endpoint.curves()) {
      columns.add(
          curve.algorithm() == before ? "" : curve.algorithm().toString(),
          limit(curve, curve.byRequests()),
          limit(curve, curve.byClients()),
          drawn(curve));
      before = curve.algorithm();
    }
    return columns;
  }

  private static String limit(Curve curve, @Nullable Limit limit) {
    Point largest = curve.points().get(curve.points().size() - 1);
    return limit == null ? "> " + withoutAlgorithm(largest.limit()) : withoutAlgorithm(limit);
  }

  private static String withoutAlgorithm(Limit limit) {
    return limit.toString().replace(" " + limit.algorithm(), "");
  }

  /** A character for each limit, from the smallest on. */
  private String drawn(Curve curve) {
    StringBuilder drawn = new StringBuilder();
    for (Point point : curve.points()) {
      drawn.append(level(point.clients()));
    }
    return drawn.toString();
  }

  /** What is not nothing is seen, and only all is full. */
  private char level(Share share) {
    String levels = terminal.unicode() ? LEVELS : ASCII_LEVELS;
    int most = levels.length() - 1;
    int level = share.part() == share.whole() ? most : (int) (share.percent() * most / 100);
    return levels.charAt(share.part() == 0 ? 0 : Math.max(1, level));
  }

  private static String counted(long count, String what) {
    return number(count) + " " + what + (count == 1 ? "" : "s");
  }

  private static String number(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }
}
