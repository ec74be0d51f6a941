package dev.weir.control.configuration;

import dev.weir.Limit;
import dev.weir.policy.config.ConfigException;
import dev.weir.policy.config.Mistake;
import dev.weir.policy.config.PartsReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file with the last configuration that was read from the database, so that an instance can start
 * without it. It is written aside and renamed, so there is always a whole one; a head says what it
 * is, and has a checksum of the rest.
 */
final class Snapshot {
  private static final String NAME = "configuration.snapshot";
  private static final int FORMAT = 1;

  private static final Pattern FORMAT_LINE = Pattern.compile("# weir configuration ([0-9]{1,9})");
  private static final Pattern SUM_LINE = Pattern.compile("# sha256 ([0-9a-f]{64})");
  private static final Pattern WHAT_LINE = Pattern.compile("# version ([0-9]{1,18}) saved (\\S+)");

  private final Path file;

  /** What a file had in it. */
  record Saved(StoredConfiguration stored, Instant at) {}

  /** In that folder. */
  Snapshot(Path folder) {
    this.file = folder.resolve(NAME);
  }

  /**
   * Writes it; when this returns, it is on disk.
   *
   * @throws UncheckedIOException if it cannot be written; then the one before is still there
   */
  void write(StoredConfiguration stored, Instant now) {
    String rest =
        "# version %d saved %s\n\n%s"
            .formatted(stored.version(), now.truncatedTo(ChronoUnit.SECONDS), stored.toToml());
    String text = "# weir configuration %d\n# sha256 %s\n%s".formatted(FORMAT, sha256(rest), rest);
    Path aside = file.resolveSibling(NAME + ".new");
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      try (FileChannel channel =
          FileChannel.open(
              aside,
              StandardOpenOption.CREATE,
              StandardOpenOption.TRUNCATE_EXISTING,
              StandardOpenOption.WRITE)) {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      // The new name too has to be on disk.
      try (FileChannel folder = FileChannel.open(file.toAbsolutePath().getParent())) {
        folder.force(true);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write %s: %s".formatted(file, e), e);
    }
  }

  /**
   * Reads it, if it is there.
   *
   * @throws ConfigException if it is damaged, or of a newer program
   */
  Optional<Saved> read() {
    try {
      return Optional.of(parse(Files.readString(file)));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    } catch (CharacterCodingException damaged) {
      throw wrong("is damaged: it is no UTF-8");
    } catch (IOException e) {
      throw wrong("cannot be read: " + e);
    }
  }

  private Saved parse(String text) {
    String[] lines = text.split("\n", 4);
    Matcher format = FORMAT_LINE.matcher(lines[0]);
    if (lines.length < 4 || !format.matches() || Integer.parseInt(format.group(1)) < FORMAT) {
      throw wrong("is damaged: its head is missing");
    }
    if (Integer.parseInt(format.group(1)) > FORMAT) {
      throw wrong("is of a newer program: its format is " + format.group(1));
    }
    Matcher sum = SUM_LINE.matcher(lines[1]);
    Matcher what = WHAT_LINE.matcher(lines[2]);
    if (!sum.matches() || !sum.group(1).equals(sha256(lines[2] + "\n" + lines[3]))) {
      throw wrong("is damaged: its checksum is another one");
    }
    if (!what.matches()) {
      throw wrong("is damaged: it has no version");
    }
    List<Entry> entries =
        // The limit is of no consequence here: tiers are read again, with that of the file.
        ConfigurationText.read(
                lines[3],
                file.toString(),
                PartsReader.alone(Limit.perMinute(100)),
                (kind, client) -> "",
                Map.of())
            .stream()
            .map(ConfigurationText.Draft::entry)
            .toList();
    return new Saved(
        new StoredConfiguration(Long.parseLong(what.group(1)), entries),
        Instant.parse(what.group(2)));
  }

  private ConfigException wrong(String problem) {
    return new ConfigException(List.of(new Mistake(file.toString(), "", problem)));
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException everyJdkHasIt) {
      throw new IllegalStateException(everyJdkHasIt);
    }
  }
}
