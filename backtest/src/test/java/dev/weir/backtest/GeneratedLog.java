package dev.weir.backtest;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;

/** A log in the combined format of as many lines as wanted, made while it is read. */
final class GeneratedLog extends InputStream {
  private static final long START = 1_800_000_000;
  private static final int LINES_A_SECOND = 1_000;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss Z", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  private final SplittableRandom random = new SplittableRandom(5);
  private final long lines;
  private final StringBuilder text = new StringBuilder();
  private String time = "";
  private long made;
  private byte[] bytes = {};
  private int at;

  GeneratedLog(long lines) {
    this.lines = lines;
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) {
    if (at == bytes.length && !fill()) {
      return -1;
    }
    int count = Math.min(length, bytes.length - at);
    System.arraycopy(bytes, at, target, offset, count);
    at += count;
    return count;
  }

  private boolean fill() {
    if (made == lines) {
      return false;
    }
    text.setLength(0);
    for (int i = 0; i < 500 && made < lines; i++, made++) {
      if (made % LINES_A_SECOND == 0) {
        time = TIME.format(Instant.ofEpochSecond(START + made / LINES_A_SECOND));
      }
      addLine();
    }
    bytes = text.toString().getBytes(StandardCharsets.ISO_8859_1);
    at = 0;
    return true;
  }

  /** A quarter of the lines is of a client that never came before. */
  private void addLine() {
    long client = random.nextInt(4) == 0 ? made : random.nextInt(2_000);
    text.append(10 + (client >> 24))
        .append('.')
        .append(client >> 16 & 0xff)
        .append('.')
        .append(client >> 8 & 0xff)
        .append('.')
        .append(client & 0xff)
        .append(" - - [")
        .append(time)
        .append("] \"GET /api/v1/items/")
        .append(random.nextInt(100_000))
        .append("?page=1 HTTP/1.1\" 200 1234 \"https://example.com/\" \"Mozilla/5.0\"\n");
  }
}
