package dev.weir.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * An access log in the combined format, of many clients on many paths, and the policy of 100 rules
 * that it is replayed through. Those who come most often are refused most.
 */
final class BacktestLog {
  static final int RULES = 100;

  private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");
  private static final int LINES_A_SECOND = 2_000;
  private static final double LOG_CLIENTS = Math.log(200_000);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss Z", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);
  private static final String[] AGENTS = {
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
    "curl/8.14.1",
    "okhttp/5.1.0"
  };

  private final SplittableRandom random = new SplittableRandom(42);
  private final StringBuilder line = new StringBuilder();

  private BacktestLog() {}

  /**
   * The policy of the other suites, with limits that those who ask often do meet. A request is
   * under the limit of its tier and those of the rules that it matches.
   */
  static String policy() {
    return new MixedRules(RULES)
        .toml()
        .replace("10000000/s", "30/10s")
        .replace("limit = 10_000_000\nwindow = \"1s\"", "limit = 300\nwindow = \"60s\"");
  }

  /** Writes a log of that many lines. */
  static void write(Path file, long lines) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      new BacktestLog().write(out, lines);
    }
  }

  private void write(OutputStream out, long lines) throws IOException {
    String time = "";
    for (long i = 0; i < lines; i++) {
      if (i % LINES_A_SECOND == 0) {
        time = TIME.format(START.plusSeconds(i / LINES_A_SECOND));
      }
      line.setLength(0);
      addClient();
      line.append(" [").append(time).append("] \"");
      addRequest();
      line.append(" HTTP/1.1\" 200 ").append(random.nextInt(50_000));
      line.append(" \"https://www.example.com/\" \"");
      line.append(AGENTS[random.nextInt(AGENTS.length)]).append("\"\n");
      out.write(line.toString().getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  /** By Zipf's law, as visitors of a site come: the client of rank n as often as 1 / n. */
  private void addClient() {
    int client = (int) Math.exp(random.nextDouble() * LOG_CLIENTS);
    line.append("10.").append(client >> 16).append('.').append(client >> 8 & 0xff);
    line.append('.').append(client & 0xff);
    if (client % 5 == 0) {
      line.append(" - u").append(client);
    } else {
      line.append(" - -");
    }
  }

  private void addRequest() {
    int rule = random.nextInt(RULES / 10) * 10;
    switch (random.nextInt(6)) {
      case 0 -> line.append("GET /api/v1/s").append(rule).append("/a/b?page=2");
      case 1 ->
          line.append("GET /api/v2/s")
              .append(rule + 1)
              .append("/items/")
              .append(random.nextInt(5_000));
      case 2 -> line.append("POST /shop/s").append(rule + 2).append("/cart");
      case 3 -> line.append("GET /files/f").append(rule + 7).append("/x/y.txt");
      case 4 -> line.append("GET /a/b/report").append(rule + 8);
      default -> line.append("GET /static/img/").append(random.nextInt(500)).append(".png?v=17");
    }
  }
}
