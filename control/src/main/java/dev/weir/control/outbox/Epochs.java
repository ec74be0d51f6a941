package dev.weir.control.outbox;

import dev.weir.control.journal.JournalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Which start of the service a sequence of the journal belongs to, in a file beside the journal.
 *
 * <p>A journal is opened when there may be no database to ask how far it got. If the folder is an
 * old copy that was put back, new records then get sequences that the database already has under
 * the same journal. So each start is an epoch with a name of its own, and the database remembers
 * sequences by that name: those of a copy are known to it, new ones never are. Two services with
 * copies of one folder share the epochs up to the copy, and none behind it.
 */
final class Epochs {
  private static final String FILE = "epochs";
  private static final String FORMAT = "weir-outbox 1";

  private Epochs() {}

  /**
   * Begins a new epoch, which is on disk when this returns.
   *
   * @param folder where the file is; nobody else may use it
   * @param oldest the lowest sequence that the journal may still have
   * @param last the highest that it has
   * @return all epochs of which there may be records, in their order; the new one is the last
   */
  static List<Epoch> begin(Path folder, long oldest, long last) {
    Path file = folder.resolve(FILE);
    try {
      List<Epoch> epochs = new ArrayList<>();
      for (Epoch each : read(file, last)) {
        if (each.end() > each.start() && each.end() >= oldest) {
          epochs.add(each);
        }
      }
      epochs.add(new Epoch(UUID.randomUUID(), last, Long.MAX_VALUE));
      write(folder, epochs);
      return List.copyOf(epochs);
    } catch (IOException failure) {
      throw new JournalException("%s cannot be read or written".formatted(file), failure);
    }
  }

  /** The epochs of earlier starts; the last of them ends where the journal did. */
  private static List<Epoch> read(Path file, long last) throws IOException {
    if (!Files.exists(file)) {
      if (last > 0) {
        throw new JournalException(
            "%s must be there, as the journal beside it has records: without it the database would"
                    .formatted(file)
                + " take them in once more; put it back, or move the journal away");
      }
      return List.of();
    }
    List<String> lines =
        new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).lines().toList();
    if (lines.isEmpty() || !lines.get(0).equals(FORMAT)) {
      throw new JournalException("%s must begin with \"%s\"".formatted(file, FORMAT));
    }
    List<Epoch> epochs = new ArrayList<>();
    long end = last;
    for (int i = lines.size() - 1; i > 0; i--) {
      String[] words = lines.get(i).split(" ", -1);
      try {
        // An older copy of the journal alone may end before the last of them begins.
        long start = Math.min(end, Long.parseLong(words[1]));
        epochs.add(0, new Epoch(UUID.fromString(words[0]), start, end));
        end = start;
      } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException wrong) {
        throw new JournalException(
            "%s:%d: must be a name and a sequence, got \"%s\"".formatted(file, i + 1, lines.get(i)),
            wrong);
      }
    }
    return epochs;
  }

  /** The file is the old one or the new one, whatever happens meanwhile. */
  private static void write(Path folder, List<Epoch> epochs) throws IOException {
    StringBuilder text = new StringBuilder(FORMAT).append('\n');
    for (Epoch each : epochs) {
      text.append(each.name()).append(' ').append(each.start()).append('\n');
    }
    Path draft = folder.resolve(FILE + ".new");
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.US_ASCII));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(
        draft,
        folder.resolve(FILE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    // Elsewhere a folder cannot be opened, and names need no such care.
    if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
        names.force(true);
      }
    }
  }
}
