package dev.weir.server.envoy;

import dev.weir.policy.config.ConfigException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Reads the configuration files of envoyproxy/ratelimit as they are, and what Weir adds to them:
 * {@code algorithm}, {@code period} and {@code burst} of a {@code rate_limit}. Finds every mistake
 * of every file in one go.
 */
public final class EnvoyConfigReader {
  static final int LARGEST_FILE = 16 << 20;

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private EnvoyConfigReader() {}

  /**
   * Reads all files of a folder that end with {@code .yaml} or {@code .yml} and do not start with a
   * dot, in the order of their names.
   *
   * @param mergesDomains whether several files may be about one domain
   * @param stats where the hits on rules are counted
   * @throws ConfigException with all mistakes
   */
  public static EnvoyConfig read(Path folder, boolean mergesDomains, EnvoyStats stats) {
    Mistakes mistakes = new Mistakes();
    DomainReader domains = new DomainReader(mergesDomains, mistakes);
    mistakes.startFile(folder.toString());
    try {
      for (Path file : files(folder)) {
        mistakes.startFile(file.toString());
        readFile(file, domains, mistakes);
      }
    } catch (NoSuchFileException missing) {
      mistakes.report("there is no such folder");
    } catch (NotDirectoryException file) {
      mistakes.report("must be a folder");
    } catch (IOException unreadable) {
      mistakes.report("cannot be read: " + unreadable.getMessage());
    }
    mistakes.throwIfAny();
    return EnvoyConfig.compile(domains.domains(), stats);
  }

  /**
   * Reads texts.
   *
   * @param texts by the names that they have in mistakes, in the order in which they are read
   */
  static EnvoyConfig parse(Map<String, String> texts, boolean mergesDomains, EnvoyStats stats) {
    Mistakes mistakes = new Mistakes();
    DomainReader domains = new DomainReader(mergesDomains, mistakes);
    texts.forEach(
        (name, text) -> {
          mistakes.startFile(name);
          domains.read(text);
        });
    mistakes.throwIfAny();
    return EnvoyConfig.compile(domains.domains(), stats);
  }

  /** The files of a folder that are read, in the order of their names. */
  static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(EnvoyConfigReader::isRead).sorted().toList();
    } catch (UncheckedIOException unreadable) {
      throw Objects.requireNonNull(unreadable.getCause());
    } catch (DirectoryIteratorException unreadable) {
      throw Objects.requireNonNull(unreadable.getCause());
    }
  }

  private static boolean isRead(Path file) {
    String name = Objects.requireNonNull(file.getFileName()).toString();
    boolean isYaml = name.endsWith(".yaml") || name.endsWith(".yml");
    return isYaml && !name.startsWith(".") && !Files.isDirectory(file);
  }

  private static void readFile(Path file, DomainReader domains, Mistakes mistakes) {
    try {
      if (Files.size(file) > LARGEST_FILE) {
        mistakes.report("must be at most " + (LARGEST_FILE >> 20) + " MiB large");
        return;
      }
      String text = Files.readString(file);
      boolean isMarked = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK;
      domains.read(isMarked ? text.substring(1) : text);
    } catch (CharacterCodingException invalid) {
      mistakes.report("must be valid UTF-8");
    } catch (NoSuchFileException missing) {
      mistakes.report("there is no such file");
    } catch (AccessDeniedException denied) {
      mistakes.report("cannot be read: permission denied");
    } catch (IOException unreadable) {
      mistakes.report("cannot be read: " + unreadable.getMessage());
    }
  }
}
