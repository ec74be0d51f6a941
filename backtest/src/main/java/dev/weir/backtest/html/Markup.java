package dev.weir.backtest.html;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes elements of HTML that are right as XML, too. Names are ours; texts and values of
 * attributes may be anybody's, and are escaped.
 */
final class Markup {
  private final StringBuilder written = new StringBuilder();
  private final Deque<String> open = new ArrayDeque<>();

  /** Starts an element; attributes are names and values in turn. */
  Markup open(String element, String... attributes) {
    start(element, attributes).append('>');
    open.push(element);
    return this;
  }

  /** Ends the element that was started last. */
  Markup close() {
    written.append("</").append(open.pop()).append('>');
    if (open.size() <= 3) {
      written.append('\n');
    }
    return this;
  }

  /** An element without content. */
  Markup empty(String element, String... attributes) {
    start(element, attributes).append("/>");
    return this;
  }

  /** An element with a text. */
  Markup leaf(String element, String text, String... attributes) {
    return open(element, attributes).text(text).close();
  }

  private StringBuilder start(String element, String... attributes) {
    written.append('<').append(element);
    for (int i = 0; i < attributes.length; i += 2) {
      written.append(' ').append(attributes[i]).append("=\"");
      append(attributes[i + 1]);
      written.append('"');
    }
    return written;
  }

  Markup text(String text) {
    append(text);
    return this;
  }

  private void append(String text) {
    text.codePoints().forEach(this::append);
  }

  private void append(int character) {
    switch (character) {
      case '&' -> written.append("&amp;");
      case '<' -> written.append("&lt;");
      case '>' -> written.append("&gt;");
      case '"' -> written.append("&quot;");
      case '\'' -> written.append("&#39;");
      default -> {
        if (isHarmless(character)) {
          written.appendCodePoint(character);
        } else {
          written.append("\\u{%x}".formatted(character));
        }
      }
    }
  }

  /** Not what XML has no way to say, nor what turns the direction of the text that follows. */
  private static boolean isHarmless(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }

  /** Text of ours that is right as it is. */
  Markup raw(String text) {
    written.append(text);
    return this;
  }

  /** All that was written; every element has to be closed. */
  @Override
  public String toString() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("elements are still open: " + open);
    }
    return written.toString();
  }
}
