package dev.weir.backtest;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Opens logs: files, packed or not, folders of an archive, and standard input. */
public final class LogFiles {
  /** What stands for standard input. */
  public static final String STANDARD_INPUT = "-";

  private static final String PARQUET = ".parquet";

  /** The other table of an archive. */
  private static final String METRICS = "rate_limit_metrics";

  private LogFiles() {}

  /**
   * One log of all these, in the order of their times.
   *
   * @param names of files and folders; {@code -} is standard input
   * @param input what standard input is
   * @throws IOException if one of them cannot be read; the message names it
   */
  public static RequestLog open(List<String> names, InputStream input, LogOptions options)
      throws IOException {
    List<LogSource> sources = new ArrayList<>();
    for (String name : names) {
      if (name.equals(STANDARD_INPUT)) {
        sources.add(looked(name, () -> LogSource.of("standard input", input, options)));
        continue;
      }
      for (Path file : filesOf(name)) {
        sources.add(looked(file.toString(), () -> source(file, options)));
      }
    }
    return new MergedLog(sources, options);
  }

  private interface Look {
    LogSource look() throws IOException;
  }

  private static LogSource looked(String name, Look look) throws IOException {
    try {
      return look.look();
    } catch (IOException failure) {
      throw unreadable(name, failure);
    }
  }

  /**
   * What is no regular file, such as a pipe, can be read only once. (A stream of {@code Files} asks
   * for its position, which a pipe has not.)
   */
  private static LogSource source(Path file, LogOptions options) throws IOException {
    return Files.exists(file) && !Files.isRegularFile(file)
        ? LogSource.of(file.toString(), new FileInputStream(file.toFile()), options)
        : LogSource.of(file, options);
  }

  private static List<Path> filesOf(String name) throws IOException {
    Path path = Path.of(name);
    if (!Files.isDirectory(path)) {
      return List.of(path);
    }
    try (Stream<Path> tree = Files.walk(path)) {
      List<Path> files = tree.filter(LogFiles::isArchive).sorted().toList();
      if (files.isEmpty()) {
        throw new IOException(name + ": a folder must be one of an archive, with .parquet files");
      }
      return files;
    } catch (UncheckedIOException failure) {
      throw unreadable(name, new IOException(failure.getMessage(), failure));
    }
  }

  private static boolean isArchive(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.endsWith(PARQUET) && !name.startsWith(".") && !name.startsWith(METRICS);
  }

  static IOException unreadable(String name, IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return new IOException(name + ": there is no such file", failure);
    }
    if (failure instanceof AccessDeniedException) {
      return new IOException(name + ": permission denied", failure);
    }
    return new IOException(name + ": " + failure.getMessage(), failure);
  }
}
