package dev.weir.control.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One file of a journal, named by its first sequence. Frames are added to the last segment only, by
 * the {@link Writer}; whoever reads looks no further than what is synced.
 */
final class Segment {
  private static final System.Logger LOGGER = System.getLogger(Segment.class.getName());
  private static final String SUFFIX = ".journal";
  private static final int DIGITS = 19;

  private final Path file;
  private final long first;
  private volatile Extent extent;

  /** What the writer writes through; null while it does not. Belongs to the writer. */
  private @Nullable FileChannel channel;

  /**
   * How far a segment reaches. Both change together.
   *
   * @param bytes how long it is, as far as it is synced
   * @param last the last sequence that belongs here, whether it can be read or not; the one before
   *     the first if there is none
   */
  record Extent(long bytes, long last) {}

  Segment(Path folder, long first, Extent extent) {
    this.file = folder.resolve(name(first));
    this.first = first;
    this.extent = extent;
  }

  private static String name(long first) {
    String digits = Long.toString(first);
    return "0".repeat(DIGITS - digits.length()) + digits + SUFFIX;
  }

  /** The first sequence of a segment of that name; nothing if it is no segment. */
  static OptionalLong firstOf(Path file) {
    String name = file.getFileName().toString();
    if (name.length() != DIGITS + SUFFIX.length()
        || !name.endsWith(SUFFIX)
        || !name.chars().limit(DIGITS).allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseLong(name.substring(0, DIGITS)));
    } catch (NumberFormatException beyondLong) {
      return OptionalLong.empty();
    }
  }

  Path file() {
    return file;
  }

  long first() {
    return first;
  }

  Extent extent() {
    return extent;
  }

  void extent(Extent other) {
    extent = other;
  }

  /** For reading; the caller closes it. */
  FileChannel open() throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  /** Writes a whole buffer at that place. */
  void write(ByteBuffer from, long at) throws IOException {
    FileChannel to = channel();
    for (long next = at; from.hasRemaining(); ) {
      next += to.write(from, next);
    }
  }

  /** Has all that was written on disk, and from then on readable. */
  void sync(Extent reached) throws IOException {
    channel().force(false);
    extent = reached;
  }

  private FileChannel channel() throws IOException {
    FileChannel current = channel;
    if (current == null) {
      current = FileChannel.open(file, StandardOpenOption.WRITE);
      channel = current;
      // Whatever a write that failed has left behind.
      current.truncate(extent.bytes());
    }
    return current;
  }

  /**
   * Closes the file for writing. What was not synced is thrown away when it is written to again.
   */
  void rest() {
    FileChannel current = channel;
    channel = null;
    if (current != null) {
      try {
        current.close();
      } catch (IOException failure) {
        LOGGER.log(System.Logger.Level.WARNING, file + " could not be closed", failure);
      }
    }
  }
}
