package dev.weir.cli;

import dev.weir.cli.Outcome.Slice;
import java.math.BigDecimal;
import java.util.StringJoiner;

/** The outcome of a trial for programs: one JSON object on one line. */
final class JsonReport {
  private JsonReport() {}

  static String of(Trial trial, Outcome outcome) {
    StringJoiner timeline = new StringJoiner(", ", "[", "]");
    for (Slice slice : outcome.timeline()) {
      timeline.add(
          "{\"at_ms\": %s, \"offered\": %d, \"allowed\": %d, \"refused\": %d, \"remaining\": %d}"
              .formatted(
                  millis(slice.atMicros()),
                  slice.offered(),
                  slice.allowed(),
                  slice.refused(),
                  slice.remaining()));
    }
    return "{\"offered\": %d, \"allowed\": %d, \"refused\": %d, \"timeline\": %s, \"limit\": %s, \"rate\": %s, \"for\": %s}"
        .formatted(
            outcome.offered(),
            outcome.allowed(),
            outcome.refused(),
            timeline,
            quote(trial.limit().toString()),
            quote(trial.arrivals().rate().toString()),
            quote(TimeText.exact(trial.arrivals().lengthMicros())));
  }

  /** A whole number but for slices shorter than a millisecond. */
  private static String millis(long micros) {
    return BigDecimal.valueOf(micros, 3).stripTrailingZeros().toPlainString();
  }

  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append("\\u%04x".formatted((int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
