package dev.weir.backtest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** All that was read of a log. */
record ReadLog(List<LoggedRequest> requests, LogCounts counts) {
  static final LogOptions USUAL = LogOptions.usual(64);

  static ReadLog of(String text) throws IOException {
    return of(text, USUAL);
  }

  static ReadLog of(String text, LogOptions options) throws IOException {
    return of(text.getBytes(StandardCharsets.UTF_8), options);
  }

  static ReadLog of(byte[] bytes, LogOptions options) throws IOException {
    return read(List.of("-"), new ByteArrayInputStream(bytes), options);
  }

  static ReadLog of(LogOptions options, Path... files) throws IOException {
    List<String> names = Arrays.stream(files).map(Path::toString).toList();
    return read(names, InputStream.nullInputStream(), options);
  }

  private static ReadLog read(List<String> names, InputStream in, LogOptions options)
      throws IOException {
    List<LoggedRequest> requests = new ArrayList<>();
    try (RequestLog log = LogFiles.open(names, in, options)) {
      for (LoggedRequest next = log.next(); next != null; next = log.next()) {
        requests.add(next);
      }
      return new ReadLog(requests, log.counts());
    }
  }

  /** Each request on a line. */
  List<String> lines() {
    return requests.stream().map(ReadLog::line).toList();
  }

  private static String line(LoggedRequest logged) {
    return "%s %s %s %s"
        .formatted(
            Instant.EPOCH.plus(logged.atMicros(), ChronoUnit.MICROS),
            logged.request().client(),
            logged.request().method(),
            logged.request().path());
  }
}
