package dev.weir.backtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.archive.ArchivedDecisions;
import dev.weir.policy.Cause;
import dev.weir.policy.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFilesTest {
  private static final Instant START = Instant.parse("2026-10-10T12:00:00Z");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("dd/MMM/uuuu:HH:mm:ss Z", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  @TempDir private Path folder = Path.of("");

  private static String line(int second, String path) {
    return "203.0.113.7 - - [%s] \"GET %s HTTP/1.1\" 200 1\n"
        .formatted(TIME.format(START.plusSeconds(second)), path);
  }

  private static String lines(String name, int... seconds) {
    StringBuilder text = new StringBuilder();
    for (int second : seconds) {
      text.append(line(second, "/" + name + second));
    }
    return text.toString();
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private Path packed(String name, String... parts) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(file)) {
      for (String part : parts) {
        ByteArrayOutputStream member = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(member)) {
          gzip.write(part.getBytes(StandardCharsets.UTF_8));
        }
        out.write(member.toByteArray());
      }
    }
    return file;
  }

  private static List<String> paths(ReadLog log) {
    return log.requests().stream().map(each -> each.request().path().substring(1)).toList();
  }

  @Test
  void packedFilesAreReadWhateverTheyAreCalled() throws IOException {
    Path file = packed("access.log.2", lines("a", 1, 2), lines("b", 3));

    assertThat(paths(ReadLog.of(ReadLog.USUAL, file))).containsExactly("a1", "a2", "b3");
  }

  @Test
  void filesOfTwoServersAreMergedByTime() throws IOException {
    Path one = file("one.log", lines("a", 1, 3, 3, 9));
    Path two = packed("two.log.gz", lines("b", 2, 3, 4));
    Path other =
        file(
            "weir.log",
            "{\"timestamp\": \"2026-10-10T12:00:03.5Z\", \"event_type\": \"allowed\", \"path\":"
                + " \"/w\", \"method\": \"GET\", \"ip_address\": \"203.0.113.8\"}\n");

    assertThat(paths(ReadLog.of(ReadLog.USUAL, one, two, other)))
        .containsExactly("a1", "b2", "a3", "a3", "b3", "w", "b4", "a9");
  }

  @Test
  void rotatedFilesFollowEachOtherHoweverTheyAreNamed() throws IOException {
    Path newest = file("access.log", lines("c", 200, 201));
    Path middle = file("access.log.1", lines("b", 100, 101));
    Path oldest = packed("access.log.2.gz", lines("a", 1, 2));

    ReadLog log = ReadLog.of(ReadLog.USUAL, newest, middle, oldest);
    assertThat(paths(log)).containsExactly("a1", "a2", "b100", "b101", "c200", "c201");
    assertThat(log.counts().late()).isZero();
  }

  @Test
  void linesWithinTheBoundAreSortedAndOthersAreLate() throws IOException {
    String text = lines("a", 0, 4, 2, 10, 5, 3, 20);

    ReadLog log = ReadLog.of(text);
    assertThat(paths(log)).containsExactly("a0", "a2", "a4", "a5", "a3", "a10", "a20");
    assertThat(log.counts().late()).isEqualTo(1);
    assertThat(log.requests().get(4).atMicros()).isEqualTo(log.requests().get(3).atMicros());

    ReadLog unsorted = ReadLog.of(text, ReadLog.USUAL.withReorder(Duration.ZERO));
    assertThat(paths(unsorted)).containsExactly("a0", "a4", "a2", "a10", "a5", "a3", "a20");
    assertThat(unsorted.counts().late()).isEqualTo(3);
  }

  @Test
  void whatIsSortedIsWhatASlowSortGives() throws IOException {
    for (int seed = 1; seed <= 30; seed++) {
      Random random = new Random(seed);
      StringBuilder text = new StringBuilder();
      List<int[]> expected = new ArrayList<>();
      int second = 100;
      for (int i = 0; i < 500; i++) {
        second += random.nextInt(3);
        int at = second - random.nextInt(5);
        text.append(line(at, "/" + i));
        expected.add(new int[] {at, i});
      }
      expected.sort((one, other) -> Integer.compare(one[0], other[0]));

      ReadLog log = ReadLog.of(text.toString());
      assertThat(paths(log))
          .as("seed %d", seed)
          .isEqualTo(expected.stream().map(each -> "" + each[1]).toList());
      assertThat(log.counts().late()).isZero();
    }
  }

  @Test
  void onlyTheWantedTimeIsReplayed() throws IOException {
    ReadLog log =
        ReadLog.of(
            lines("a", 0, 1, 2, 3, 4, 200),
            ReadLog.USUAL.between(START.plusSeconds(1), START.plusSeconds(3)));

    assertThat(paths(log)).containsExactly("a1", "a2");
    assertThat(log.counts()).isEqualTo(new LogCounts(6, 2, 0, 0, 4, 0, List.of()));
  }

  @Test
  void strictLogsEndWithTheFirstBadLine() throws IOException {
    Path file = file("access.log", line(1, "/a") + "what?\n" + line(2, "/b"));

    assertThatThrownBy(() -> ReadLog.of(ReadLog.USUAL.strict(), file))
        .isInstanceOf(BadLineException.class)
        .hasMessage(file + ":2: must have address, identity, user and then the time in brackets");
  }

  @Test
  void saysWhichFileCannotBeReadAndWhy() throws IOException {
    Path missing = folder.resolve("missing.log");
    assertThatThrownBy(() -> ReadLog.of(ReadLog.USUAL, missing))
        .hasMessage(missing + ": there is no such file");

    Path strange = file("strange.log", "hello\nworld\n");
    assertThatThrownBy(() -> ReadLog.of(ReadLog.USUAL, strange))
        .hasMessage(
            strange + ": no line at its beginning is of a known format; give it by --format");
    assertThat(ReadLog.of(ReadLog.USUAL.withFormat(LogFormat.COMMON), strange).counts().bad())
        .isEqualTo(2);

    Path packed = packed("cut.gz", lines("a", 1, 2, 3));
    byte[] bytes = Files.readAllBytes(packed);
    Files.write(packed, Arrays.copyOf(bytes, bytes.length - 10));
    assertThatThrownBy(() -> ReadLog.of(ReadLog.USUAL, packed))
        .hasMessageStartingWith(packed + ": ");

    Path empty = Files.createDirectory(folder.resolve("empty"));
    assertThatThrownBy(() -> ReadLog.of(ReadLog.USUAL, empty))
        .hasMessage(empty + ": a folder must be one of an archive, with .parquet files");
  }

  @Test
  void pipesAreReadOnce() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    String text = lines("a", 1, 2, 3);
    CompletableFuture<Path> written =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Files.writeString(pipe, text, StandardOpenOption.WRITE);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });

    assertThat(paths(ReadLog.of(ReadLog.USUAL, pipe))).containsExactly("a1", "a2", "a3");
    assertThat(written.get()).isEqualTo(pipe);
  }

  @Test
  void emptyFilesHaveNoRequests() throws IOException {
    assertThat(ReadLog.of(ReadLog.USUAL, file("empty.log", "")).counts()).isEqualTo(LogCounts.NONE);
  }

  @Test
  void theArchiveIsReadMonthByMonth() throws IOException {
    Path root = folder.resolve("archive");
    ArchivedDecisions.write(
        root,
        "2026-02",
        new ArchivedDecisions.Decision(
            Instant.parse("2026-02-01T00:00:00.000001Z"),
            "alice",
            "203.0.113.7",
            "pro",
            "/chat",
            "POST",
            "endpoint:chat",
            "throttled",
            "limit_exceeded",
            3));
    ArchivedDecisions.write(
        root,
        "2026-01",
        new ArchivedDecisions.Decision(
            Instant.parse("2026-01-31T23:59:59Z"),
            null,
            "2001:db8::1",
            null,
            "/",
            "GET",
            "default",
            "allowed",
            "within_limits",
            1),
        new ArchivedDecisions.Decision(
            Instant.parse("2026-01-31T23:59:59.5Z"),
            null,
            null,
            null,
            null,
            null,
            null,
            "allowed",
            "within_limits",
            1));
    Files.createDirectories(root.resolve("rate_limit_metrics"));
    Files.writeString(root.resolve("rate_limit_metrics/rate_limit_metrics-2026-01.parquet"), "x");

    ReadLog log = ReadLog.of(ReadLog.USUAL, root);
    assertThat(log.lines())
        .containsExactly(
            "2026-01-31T23:59:59Z ip:2001:db8::/64 GET /",
            "2026-02-01T00:00:00.000001Z user:alice (pro) POST /chat");
    assertThat(log.counts().bad()).isEqualTo(1);
    assertThat(log.counts().examples())
        .singleElement()
        .asString()
        .endsWith(".parquet:2: must have a path");
    LoggedRequest last = log.requests().get(1);
    assertThat(last.request().cost()).isEqualTo(3);
    assertThat(last.outcome()).isEqualTo(Outcome.THROTTLED);
    assertThat(last.cause()).isEqualTo(Cause.LIMIT_EXCEEDED);
    assertThat(last.rule()).isEqualTo("endpoint:chat");
  }

  @Test
  void parquetThatIsNoneIsToldApart() throws IOException {
    Path file = file("x.parquet", "PAR1 and nothing more");

    assertThatThrownBy(() -> ReadLog.of(ReadLog.USUAL, file)).hasMessageStartingWith(file + ": ");
  }
}
