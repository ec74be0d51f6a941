package dev.weir.backtest.html;

import dev.weir.Limit;
import dev.weir.backtest.suggest.Share;
import dev.weir.backtest.suggest.Suggestions;
import dev.weir.backtest.suggest.Suggestions.Curve;
import dev.weir.backtest.suggest.Suggestions.OfEndpoint;
import dev.weir.backtest.suggest.Suggestions.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Limits that would refuse little: for each endpoint a table of them, and their curves. */
final class SuggestionsSection {
  /** So many endpoints are shown at once, the others when one opens them. */
  private static final int SHOWN = 5;

  /** For more endpoints there is the report for programs. */
  private static final int MOST = 50;

  private static final Map<String, String> WINDOWS =
      Map.of("s", "second", "m", "minute", "h", "hour");

  private final Suggestions suggestions;

  SuggestionsSection(Suggestions suggestions) {
    this.suggestions = suggestions;
  }

  void write(Markup page) {
    page.open("section").leaf("h2", "Suggestions");
    page.leaf(
        "p",
        ("The smallest limits for each client that would have refused at most %s %% of the"
                + " requests, or of the clients, of this log. Each was tried on the engine that"
                + " decides in life.")
            .formatted(suggestions.allowance()));
    List<OfEndpoint> endpoints = suggestions.endpoints();
    for (int i = 0; i < Math.min(MOST, endpoints.size()); i++) {
      writeEndpoint(page, i, endpoints.get(i));
    }
    if (endpoints.size() > MOST) {
      page.leaf(
          "p", Figures.count(endpoints.size() - MOST) + " more are in the report for programs.");
    }
    page.close();
  }

  private void writeEndpoint(Markup page, int number, OfEndpoint endpoint) {
    if (number < SHOWN) {
      page.open("details", "open", "open");
    } else {
      page.open("details");
    }
    page.open("summary").leaf("strong", endpoint.endpoint());
    page.text(" " + sampleOf(endpoint)).close();
    writeTable(page, endpoint);
    writeLegend(page, endpoint);
    writeCharts(page, number, endpoint, "requests", Point::requests);
    writeCharts(page, number, endpoint, "clients", Point::clients);
    page.close();
  }

  private static String sampleOf(OfEndpoint endpoint) {
    String requests = Figures.count(endpoint.requests(), "request");
    String clients = Figures.count(endpoint.sampledClients(), "client");
    return endpoint.isExact()
        ? "%s of %s".formatted(requests, clients)
        : "%s; estimated from a sample of %s, one in %s"
            .formatted(requests, clients, Figures.count(endpoint.oneIn()));
  }

  private void writeTable(Markup page, OfEndpoint endpoint) {
    Table table = new Table("Limits that suffice for " + endpoint.endpoint()).names("algorithm");
    List<List<Curve>> byWindow = byWindow(endpoint);
    for (List<Curve> curves : byWindow) {
      String window = WINDOWS.get(curves.get(0).window());
      table.numbers("by requests, per " + window).numbers("by clients, per " + window);
    }
    for (String kind : kinds(endpoint)) {
      List<Consumer<Markup>> cells = new ArrayList<>();
      cells.add(Table.text(kind));
      for (List<Curve> curves : byWindow) {
        Curve curve =
            curves.stream()
                .filter(each -> CurveChart.kind(each).equals(kind))
                .findFirst()
                .orElse(null);
        cells.add(limit(curve, curve == null ? null : curve.byRequests()));
        cells.add(limit(curve, curve == null ? null : curve.byClients()));
      }
      table.add(cells);
    }
    table.write(page);
  }

  private static Consumer<Markup> limit(@Nullable Curve curve, @Nullable Limit limit) {
    if (curve == null) {
      return Table.text("–");
    }
    if (limit == null) {
      Point largest = curve.points().get(curve.points().size() - 1);
      return Table.text("more than " + withoutAlgorithm(largest.limit()));
    }
    return page -> page.leaf("code", withoutAlgorithm(limit));
  }

  /** The row says it. */
  private static String withoutAlgorithm(Limit limit) {
    return limit.toString().replace(" " + limit.algorithm(), "");
  }

  private static List<String> kinds(OfEndpoint endpoint) {
    return endpoint.curves().stream()
        .sorted(Comparator.comparing(Curve::algorithm).thenComparing(Curve::burst))
        .map(CurveChart::kind)
        .distinct()
        .toList();
  }

  private static List<List<Curve>> byWindow(OfEndpoint endpoint) {
    Map<String, List<Curve>> byWindow = new LinkedHashMap<>();
    for (Curve curve : endpoint.curves()) {
      byWindow.computeIfAbsent(curve.window(), window -> new ArrayList<>()).add(curve);
    }
    return List.copyOf(byWindow.values());
  }

  private void writeLegend(Markup page, OfEndpoint endpoint) {
    page.open("ul", "class", "legend");
    for (String kind : kinds(endpoint)) {
      page.open("li").open("svg", "viewBox", "0 0 24 12", "aria-hidden", "true");
      page.empty("polyline", "class", CurveChart.style(kind), "points", "0,6 24,6").close();
      page.text(kind).close();
    }
    page.open("li").open("svg", "viewBox", "0 0 24 12", "aria-hidden", "true");
    page.empty("line", "class", "allowance", "x1", "0", "y1", "6", "x2", "24", "y2", "6").close();
    page.text(suggestions.allowance() + " %").close();
    page.close();
  }

  private void writeCharts(
      Markup page, int number, OfEndpoint endpoint, String what, Function<Point, Share> share) {
    page.open("div", "class", "charts");
    for (List<Curve> curves : byWindow(endpoint)) {
      String window = curves.get(0).window();
      new CurveChart(
              "curve-%d-%s-%s".formatted(number, what, window),
              "%s refused, by permits per %s".formatted(what, WINDOWS.get(window)),
              curves,
              suggestions.allowance(),
              share)
          .write(page);
    }
    page.close();
  }
}
