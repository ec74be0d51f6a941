package dev.weir.control.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps others out of a folder, by a lock on a file in it. The operating system gives the lock back
 * when the process ends, however it does.
 */
final class FolderLock implements AutoCloseable {
  private static final String FILE = "lock";

  /**
   * Folders that this process has. A lock belongs to the whole process, and is gone as soon as any
   * channel to its file is closed; so one must not even be opened where the lock is held.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path folder;
  private final FileChannel channel;

  private FolderLock(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /**
   * Takes a folder that exists.
   *
   * @throws JournalException if this or another process has it
   */
  static FolderLock take(Path path) throws IOException {
    Path folder = path.toRealPath();
    if (!HELD.add(folder)) {
      throw new JournalException("journal %s is already open in this process".formatted(folder));
    }
    boolean isTaken = false;
    try {
      FolderLock lock = new FolderLock(folder, lock(folder));
      isTaken = true;
      return lock;
    } finally {
      if (!isTaken) {
        HELD.remove(folder);
      }
    }
  }

  private static FileChannel lock(Path folder) throws IOException {
    Path file = folder.resolve(FILE);
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
      if (lock == null) {
        String holder = Files.readString(file).strip();
        throw new JournalException(
            "journal %s is in use by another process%s"
                .formatted(folder, holder.isEmpty() ? "" : ", its id is " + holder));
      }
      sign(channel);
      return channel;
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
  }

  /** Says who has the lock, for the one who does not get it. */
  private static void sign(FileChannel channel) {
    try {
      String holder = ProcessHandle.current().pid() + "\n";
      channel.truncate(0).write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.US_ASCII)), 0);
    } catch (IOException noRoom) {
      // On a disk that is full the lock holds all the same.
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      HELD.remove(folder);
    }
  }
}
