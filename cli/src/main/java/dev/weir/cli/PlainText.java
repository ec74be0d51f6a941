package dev.weir.cli;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.stream.Collectors;

/** Values of JSON for people, each on one line. */
final class PlainText {
  /** What stands for nothing. */
  static final String NOTHING = "-";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ssX", Locale.ROOT).withZone(ZoneOffset.UTC);

  private PlainText() {}

  /**
   * The text with escapes for all that would end a line, steer a terminal or turn the direction of
   * what follows: much of what is shown was chosen by strangers.
   */
  static String of(String text) {
    StringBuilder line = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (isHarmless(c)) {
                line.appendCodePoint(c);
              } else if (c <= Character.MAX_VALUE) {
                line.append("\\u%04x".formatted(c));
              } else {
                line.append("\\U%08x".formatted(c));
              }
            });
    return line.toString();
  }

  private static boolean isHarmless(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }

  /** A value; times in UTC to the second, elements with commas between them. */
  static String of(Json value) {
    if (value instanceof Json.Text text) {
      return text.value().isEmpty() ? NOTHING : of(time(text.value()));
    }
    if (value instanceof Json.Items items) {
      return items.values().isEmpty()
          ? NOTHING
          : items.values().stream().map(PlainText::of).collect(Collectors.joining(", "));
    }
    if (value instanceof Json.Members members) {
      return members.values().isEmpty()
          ? NOTHING
          : members.values().entrySet().stream()
              .map(member -> of(member.getKey()) + "=" + of(member.getValue()))
              .collect(Collectors.joining(" "));
    }
    return switch (((Json.Literal) value).text()) {
      case "null" -> NOTHING;
      case "true" -> "yes";
      case "false" -> "no";
      default -> ((Json.Literal) value).text();
    };
  }

  private static String time(String text) {
    try {
      return TIME.format(Instant.parse(text));
    } catch (DateTimeParseException isNone) {
      return text;
    }
  }
}
