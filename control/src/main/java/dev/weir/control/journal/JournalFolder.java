package dev.weir.control.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import java.util.stream.Stream;

/** The folder of a journal: nobody else's as long as it is open, and with an id that stays. */
final class JournalFolder implements AutoCloseable {
  private static final String ID_FILE = "id";

  /** What an id follows in its file. Another layout of the folder would have another number. */
  private static final String FORMAT = "weir-journal 1 ";

  private final Path path;
  private final FolderLock lock;
  private final UUID id;

  private JournalFolder(Path path, FolderLock lock) throws IOException {
    this.path = path;
    this.lock = lock;
    this.id = Files.exists(path.resolve(ID_FILE)) ? readId() : makeId();
  }

  /**
   * Takes a folder, which is made if there is none.
   *
   * @throws JournalException if it is in use, or its id cannot be trusted
   */
  static JournalFolder open(Path path) throws IOException {
    Files.createDirectories(path);
    FolderLock lock = FolderLock.take(path);
    boolean isOpen = false;
    try {
      JournalFolder folder = new JournalFolder(path, lock);
      isOpen = true;
      return folder;
    } finally {
      if (!isOpen) {
        lock.close();
      }
    }
  }

  Path path() {
    return path;
  }

  UUID id() {
    return id;
  }

  private UUID readId() throws IOException {
    Path file = path.resolve(ID_FILE);
    String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).strip();
    try {
      if (text.startsWith(FORMAT)) {
        return UUID.fromString(text.substring(FORMAT.length()));
      }
    } catch (IllegalArgumentException noId) {
      // Said below.
    }
    throw new JournalException(
        "%s must be \"%s\" and an id, got \"%s\""
            .formatted(file, FORMAT.strip(), text.substring(0, Math.min(60, text.length()))));
  }

  /** The file is there as a whole or not at all, whatever happens meanwhile. */
  private UUID makeId() throws IOException {
    if (hasSegments()) {
      throw new JournalException(
          "journal %s has records but no file \"%s\": put that back, or else remove the records;"
                  .formatted(path, ID_FILE)
              + " under a new id the database would take them in once more");
    }
    UUID made = UUID.randomUUID();
    Path draft = path.resolve(ID_FILE + ".new");
    try (FileChannel channel =
        FileChannel.open(
            draft,
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer text = ByteBuffer.wrap((FORMAT + made + "\n").getBytes(StandardCharsets.US_ASCII));
      while (text.hasRemaining()) {
        channel.write(text);
      }
      channel.force(true);
    }
    Files.move(draft, path.resolve(ID_FILE), StandardCopyOption.ATOMIC_MOVE);
    sync();
    return made;
  }

  private boolean hasSegments() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.anyMatch(file -> Segment.firstOf(file).isPresent());
    }
  }

  /** Has the names of its files on disk. */
  void sync() throws IOException {
    // Elsewhere a folder cannot be opened, and names need no such care.
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      try (FileChannel folder = FileChannel.open(path, StandardOpenOption.READ)) {
        folder.force(true);
      }
    }
  }

  /** Whether the disk has no room left to speak of. */
  boolean isOnFullDisk() {
    try {
      return Files.getFileStore(path).getUsableSpace() < Frame.MOST_BYTES;
    } catch (IOException unknown) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
