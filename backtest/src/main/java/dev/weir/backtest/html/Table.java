package dev.weir.backtest.html;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A table with a caption, whose first cell in each row names it. */
final class Table {
  private final String caption;
  private final List<Column> columns = new ArrayList<>();
  private final List<List<Consumer<Markup>>> rows = new ArrayList<>();

  private record Column(String name, String style) {}

  Table(String caption) {
    this.caption = caption;
  }

  /** A column of names. */
  Table names(String name) {
    columns.add(new Column(name, "name"));
    return this;
  }

  /** A column of numbers. */
  Table numbers(String name) {
    columns.add(new Column(name, "number"));
    return this;
  }

  /** A row; the number of its cells is that of the columns. */
  void add(List<Consumer<Markup>> cells) {
    rows.add(List.copyOf(cells));
  }

  static Consumer<Markup> text(String text) {
    return page -> page.text(text);
  }

  static Consumer<Markup> count(long number) {
    return text(Figures.count(number));
  }

  /** A share, and how long it is beside the others. */
  static Consumer<Markup> bar(long part, long whole) {
    return page -> {
      page.text(Figures.percent(part, whole));
      double width = whole == 0 ? 0 : 100.0 * part / whole;
      page.open("span", "class", "bar", "aria-hidden", "true")
          .leaf("span", "", "style", "width:" + Figures.place(width) + "%")
          .close();
    };
  }

  void write(Markup page) {
    page.open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", caption);
    page.open("table").leaf("caption", caption);
    page.open("thead").open("tr");
    for (Column column : columns) {
      page.leaf("th", column.name, "scope", "col", "class", column.style);
    }
    page.close().close().open("tbody");
    for (List<Consumer<Markup>> row : rows) {
      page.open("tr");
      for (int i = 0; i < columns.size(); i++) {
        if (i == 0) {
          page.open("th", "scope", "row", "class", columns.get(i).style);
        } else {
          page.open("td", "class", columns.get(i).style);
        }
        row.get(i).accept(page);
        page.close();
      }
      page.close();
    }
    page.close().close().close();
  }
}
