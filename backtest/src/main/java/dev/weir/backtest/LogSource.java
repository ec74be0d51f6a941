package dev.weir.backtest;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file of a log that was looked at and can be opened: its format and about when it begins are
 * known. Standard input can be opened once.
 */
final class LogSource {
  private final String name;
  private final LogOptions options;
  private final LogFormat format;
  private final Opener opener;
  private final long bytes;
  private final long startMicros;

  private interface Opener {
    RawLog open() throws IOException;
  }

  private LogSource(
      String name,
      LogOptions options,
      LogFormat format,
      Opener opener,
      long bytes,
      long startMicros) {
    this.name = name;
    this.options = options;
    this.format = format;
    this.opener = opener;
    this.bytes = bytes;
    this.startMicros = startMicros;
  }

  static LogSource of(Path file, LogOptions options) throws IOException {
    String name = file.toString();
    byte[] head = head(file);
    LogFormat format = format(head, options);
    long bytes = Files.size(file);
    if (format == LogFormat.PARQUET) {
      Opener opener =
          () -> new ParquetLog(file, clients(options), new Findings(name, options.isStrict()));
      return new LogSource(name, options, format, opener, bytes, start(opener));
    }
    Opener opener =
        () -> {
          Content content = new Content(Files.newInputStream(file));
          return textLog(name, options, format, content.text(), content);
        };
    return new LogSource(name, options, format, opener, bytes, start(head, format, options));
  }

  static LogSource of(String name, InputStream in, LogOptions options) throws IOException {
    Content content = new Content(in);
    byte[] head = content.text().readNBytes(LogHead.BYTES);
    LogFormat format = format(head, options);
    if (format == LogFormat.PARQUET) {
      throw new IOException("Parquet cannot be read from a stream; name the file");
    }
    InputStream all = new SequenceInputStream(new ByteArrayInputStream(head), content.text());
    Opener opener = () -> textLog(name, options, format, all, content);
    return new LogSource(name, options, format, opener, -1, start(head, format, options));
  }

  private static byte[] head(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new Content(in).text().readNBytes(LogHead.BYTES);
    }
  }

  private static LogFormat format(byte[] head, LogOptions options) throws IOException {
    if (options.format().isPresent()) {
      return options.format().get();
    }
    if (head.length == 0) {
      return LogFormat.COMBINED;
    }
    return LogHead.format(head)
        .orElseThrow(
            () ->
                new IOException(
                    "no line at its beginning is of a known format; give it by --format"));
  }

  /** The earliest of its first requests; 0 if they cannot be read. */
  private static long start(byte[] head, LogFormat format, LogOptions options) throws IOException {
    LogOptions lenient =
        new LogOptions(
            options.ipv6Prefix(),
            options.format(),
            options.fields(),
            options.reorder(),
            false,
            options.from(),
            options.to(),
            options.refusedStatuses());
    long earliest = Long.MAX_VALUE;
    try (RawLog log =
        textLog(
            "",
            lenient,
            format,
            new ByteArrayInputStream(head),
            new Content(InputStream.nullInputStream()))) {
      for (LoggedRequest next = log.next(); next != null; next = log.next()) {
        earliest = Math.min(earliest, next.atMicros());
      }
    }
    return earliest == Long.MAX_VALUE ? 0 : earliest;
  }

  private static long start(Opener opener) throws IOException {
    try (RawLog log = opener.open()) {
      LoggedRequest first = log.next();
      return first == null ? 0 : first.atMicros();
    } catch (BadLineException bad) {
      // Found again, and told, when it is read for good.
      return 0;
    }
  }

  private static RawLog textLog(
      String name, LogOptions options, LogFormat format, InputStream in, Content content) {
    return new TextLog(
        in,
        lineFormat(format, options),
        new Findings(name, options.isStrict()),
        content::bytesRead);
  }

  private static LoggedClient clients(LogOptions options) {
    return new LoggedClient(options.ipv6Prefix());
  }

  private static LineFormat lineFormat(LogFormat format, LogOptions options) {
    return switch (format) {
      case COMMON, COMBINED -> new AccessLine(clients(options), options.refusedStatuses());
      case NGINX -> json(FieldMapping.NGINX, options);
      case CADDY -> json(FieldMapping.CADDY, options);
      case WEIR -> json(FieldMapping.WEIR, options);
      case JSON -> json(FieldMapping.NONE, options);
      case PARQUET -> throw new IllegalStateException("Parquet has no lines");
    };
  }

  private static LineFormat json(FieldMapping usual, LogOptions options) {
    return new JsonLine(usual.with(options.fields()), clients(options), options.refusedStatuses());
  }

  /** Its requests, sorted as far as the options say. */
  SortedLog open() throws IOException {
    return new SortedLog(opener.open(), options.reorder());
  }

  /** What to call it in messages. */
  String name() {
    return name;
  }

  LogFormat format() {
    return format;
  }

  /** How large it is; -1 if that is not known. */
  long bytes() {
    return bytes;
  }

  /** No request of it should be earlier. */
  long startMicros() {
    return startMicros;
  }
}
