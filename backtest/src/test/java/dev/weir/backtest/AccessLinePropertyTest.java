package dev.weir.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Request;
import dev.weir.testkit.TestLevel;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The fast reader says the same as a slow one that is plain to read. */
class AccessLinePropertyTest {
  private static final Pattern LINE =
      Pattern.compile(
          "(?<ip>[^ ]*) [^ ]* (?<user>.*?) \\[(?<time>[^\\]]*)\\]"
              + " \"(?<request>(?:\\\\.|[^\\\\\"])*)\" (?<status>[0-9]{3})(?: .*)?");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss Z", Locale.ENGLISH)
          .withResolverStyle(ResolverStyle.STRICT);

  private static final Map<String, String> LETTERS = Map.of("t", "\t", "n", "\n", "r", "\r");

  private static final List<String> ADDRESSES =
      List.of("203.0.113.7", "2001:db8::7", "198.51.100.250", "-", "unix:", "host", "::1");
  private static final List<String> USERS = List.of("-", "alice", "bob smith", "", "a\\x22b");
  private static final List<String> TARGETS =
      List.of(
          "/",
          "/a",
          "/a/b/c?d=e",
          "/a//b",
          "/%41",
          "/a b",
          "/..",
          "/x#y",
          "*",
          "/\\xC3\\xA9",
          "http://h/p?q",
          "/a;b=c/d",
          "?",
          "/%2f",
          "/a\\\"b");
  private static final List<String> METHODS = List.of("GET", "POST", "head", "DELETE", "", "\\x16");

  private final long seed =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000L));
  private final Random random = new Random(seed);
  private final AccessLine fast = new AccessLine(new LoggedClient(64), Set.of());

  @Test
  void agreesWithASlowReader() {
    int lines = TestLevel.amount("weir.backtest.random.lines", 10_000, 50_000);
    for (int i = 0; i < lines; i++) {
      String line = random.nextInt(5) == 0 ? damaged(line()) : line();
      assertThat(fast(line)).as("seed %d: %s", seed, line).isEqualTo(slow(line));
    }
  }

  private String line() {
    String time =
        "%02d/%s/%d:%02d:%02d:%02d %s"
            .formatted(
                1 + random.nextInt(28),
                one(List.of("Jan", "Feb", "Mar", "Oct", "Dec")),
                2020 + random.nextInt(10),
                random.nextInt(24),
                random.nextInt(60),
                random.nextInt(60),
                one(List.of("+0000", "-0800", "+0530")));
    String request = one(METHODS) + " " + one(TARGETS) + one(List.of(" HTTP/1.1", " HTTP/2.0", ""));
    return "%s - %s [%s] \"%s\" %d %d%s"
        .formatted(
            one(ADDRESSES),
            one(USERS),
            time,
            request,
            100 + random.nextInt(500),
            random.nextInt(10_000),
            one(List.of("", " \"-\" \"curl\"", " \"https://x\" \"a \\\"b\\\" [c] d\"")));
  }

  private String damaged(String line) {
    StringBuilder text = new StringBuilder(line);
    int at = random.nextInt(text.length());
    switch (random.nextInt(3)) {
      case 0 -> text.deleteCharAt(at);
      case 1 -> text.setCharAt(at, "[]\" \\x0".charAt(random.nextInt(7)));
      default -> text.setLength(at);
    }
    return text.toString();
  }

  private String one(List<String> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String fast(String line) {
    byte[] bytes = ("..." + line + "...").getBytes(StandardCharsets.UTF_8);
    try {
      return said(fast.read(bytes, 3, bytes.length - 3));
    } catch (BadLine bad) {
      return "bad";
    } catch (MalformedRequestException malformed) {
      return "malformed";
    }
  }

  private static String said(LoggedRequest request) {
    return request.atMicros() + " " + request.request().client() + " " + request.request();
  }

  private static String slow(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      return "bad";
    }
    try {
      OffsetDateTime time = OffsetDateTime.parse(matcher.group("time"), TIME);
      if (time.getYear() < 1970 || time.getYear() >= 2400) {
        return "bad";
      }
      Client client = client(matcher.group("ip"), plain(matcher.group("user")));
      String request = matcher.group("request");
      int first = request.indexOf(' ');
      int last = request.lastIndexOf(' ');
      if (first < 0) {
        return "malformed";
      }
      String target =
          last > first ? request.substring(first + 1, last) : request.substring(first + 1);
      if (target.isEmpty()) {
        return "malformed";
      }
      return said(
          LoggedRequest.of(
              time.toEpochSecond() * 1_000_000,
              Request.of(plain(request.substring(0, first)), plain(target), client)));
    } catch (MalformedRequestException malformed) {
      return "malformed";
    } catch (IllegalArgumentException | DateTimeException bad) {
      return "bad";
    }
  }

  private static Client client(String ip, String user) {
    Client client =
        Set.of("-", "", "unix:").contains(ip) ? Client.unknown() : Client.at(Address.parse(ip), 64);
    return Set.of("-", "").contains(user) ? client : client.withUser(user);
  }

  /** Escapes as Latin-1, then all as UTF-8. */
  private static String plain(String escaped) {
    String latin =
        Pattern.compile("\\\\(x[0-9A-Fa-f]{2}|[\"\\\\tnr])")
            .matcher(
                new String(escaped.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1))
            .replaceAll(
                match -> {
                  String code = match.group(1);
                  String text =
                      code.length() == 3
                          ? Character.toString(Integer.parseInt(code.substring(1), 16))
                          : LETTERS.getOrDefault(code, code);
                  return Matcher.quoteReplacement(text);
                });
    return new String(latin.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
