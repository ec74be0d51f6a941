package dev.weir.backtest;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What the beginning of a log tells of its format. */
final class LogHead {
  /** How much is looked at. */
  static final int BYTES = 1 << 16;

  private static final String PARQUET_MAGIC = "PAR1";

  private LogHead() {}

  /** The format; nothing if no line is of a known one. */
  static Optional<LogFormat> format(byte[] head) {
    String text = new String(head, StandardCharsets.ISO_8859_1);
    if (text.startsWith(PARQUET_MAGIC)) {
      return Optional.of(LogFormat.PARQUET);
    }
    return text.lines().map(LogHead::formatOf).flatMap(Optional::stream).findFirst();
  }

  private static Optional<LogFormat> formatOf(String line) {
    if (line.startsWith("{")) {
      if (hasName(line, "event_type") && hasName(line, "timestamp")) {
        return Optional.of(LogFormat.WEIR);
      }
      boolean isCaddy = hasName(line, "ts") && hasName(line, "request") && hasName(line, "uri");
      return Optional.of(isCaddy ? LogFormat.CADDY : LogFormat.NGINX);
    }
    int time = line.indexOf(" [");
    int request = line.indexOf("] \"");
    return time > 0 && request > time ? Optional.of(LogFormat.COMBINED) : Optional.empty();
  }

  private static boolean hasName(String line, String name) {
    return line.contains("\"" + name + "\"");
  }
}
