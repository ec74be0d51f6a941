package dev.weir.control.archive;

import dev.weir.control.database.MonthlyTable;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.jdbi.v3.core.JdbiException;

/** Files in a folder: written aside, made to last, and then renamed. */
final class FolderPlace implements Place {
  /** How deep files lie: table, year, month, file. */
  private static final int DEPTH = 4;

  private static final int BUFFER_BYTES = 1 << 16;

  private final Path root;

  private FolderPlace(Path root) {
    this.root = root;
  }

  static FolderPlace of(String address) {
    try {
      return new FolderPlace(Path.of(address).toAbsolutePath().normalize());
    } catch (InvalidPathException e) {
      throw new ArchiveException(
          "audit.archive must be a folder or s3://bucket/prefix, got \"%s\"".formatted(address), e);
    }
  }

  @Override
  public void requireUsable() {
    try {
      Files.createDirectories(root);
      Files.delete(Files.createTempFile(root, ".weir-", ".check"));
    } catch (IOException e) {
      throw new ArchiveException(
          ("audit.archive: cannot write to directory %s: %s;"
                  + " make it writable for the server, or set audit.archive to another directory")
              .formatted(root, words(e)),
          e);
    }
  }

  /** Many of these exceptions have no message other than the path, which is named already. */
  private String words(IOException e) {
    if (!(e instanceof FileSystemException failure)) {
      return ArchiveException.reason(e);
    }
    String path = failure.getFile();
    String file = path == null || Path.of(path).startsWith(root) ? "" : path + ": ";
    if (e instanceof AccessDeniedException) {
      return file + "permission denied";
    }
    if (e instanceof FileAlreadyExistsException) {
      return file + "exists and is not a directory";
    }
    if (e instanceof NoSuchFileException) {
      return file + "no such file or directory";
    }
    String reason = failure.getReason();
    return reason == null ? e.toString() : file + reason;
  }

  private ArchiveException cannot(String what, String name, IOException e) {
    return new ArchiveException("cannot %s %s: %s".formatted(what, location(name), words(e)), e);
  }

  @Override
  public String location(String name) {
    return root + "/" + name;
  }

  private Path path(String name) {
    return root.resolve(name);
  }

  @Override
  public boolean exists(String name) {
    return Files.exists(path(name));
  }

  @Override
  public Contents write(String name, Writer writer) throws IOException {
    Path file = path(name);
    Path folder = folderOf(file);
    Path aside = folder.resolve("." + file.getFileName() + ".part");
    try {
      Files.createDirectories(folder);
      Files.deleteIfExists(aside);
      Contents contents;
      try (FileChannel channel =
          FileChannel.open(aside, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        OutputStream out =
            new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER_BYTES);
        contents = writer.write(out);
        out.flush();
        channel.force(true);
      } catch (IOException | RuntimeException e) {
        removeQuietly(aside, e);
        throw e;
      }
      Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      syncFolders(folder);
      return contents;
    } catch (IOException e) {
      throw cannot("write", name, e);
    } catch (ArchiveException | JdbiException e) {
      throw e;
    } catch (RuntimeException e) {
      // The writer of Parquet wraps what the disk says.
      Throwable cause = e;
      while (cause.getCause() != null && !(cause instanceof IOException)) {
        cause = cause.getCause();
      }
      throw cause instanceof IOException disk ? cannot("write", name, disk) : e;
    }
  }

  /** A full disk should not stay full of what is of no use. */
  private static void removeQuietly(Path aside, Exception reason) {
    try {
      Files.deleteIfExists(aside);
    } catch (IOException e) {
      reason.addSuppressed(e);
    }
  }

  /** A name lasts once its folder does; all up to the root may be new. */
  private static void syncFolders(Path folder) throws IOException {
    Path each = folder;
    for (int level = 0; level < DEPTH; level++, each = folderOf(each)) {
      try (FileChannel channel = FileChannel.open(each, StandardOpenOption.READ)) {
        channel.force(true);
      }
    }
  }

  private static Path folderOf(Path path) {
    Path folder = path.getParent();
    return folder == null ? path : folder;
  }

  @Override
  public InputStream read(String name) {
    try {
      return Files.newInputStream(path(name));
    } catch (IOException e) {
      throw cannot("read", name, e);
    }
  }

  @Override
  public InputFile parquet(String name) {
    return new LocalInputFile(path(name));
  }

  @Override
  public List<String> list() {
    List<String> names = new ArrayList<>();
    for (MonthlyTable table : MonthlyTable.values()) {
      Path folder = root.resolve(table.table());
      if (Files.isDirectory(folder)) {
        try (Stream<Path> tree = Files.walk(folder, DEPTH - 1)) {
          tree.map(file -> root.relativize(file).toString().replace('\\', '/'))
              .filter(name -> ArchiveFile.of(name).isPresent())
              .sorted()
              .forEach(names::add);
        } catch (IOException | UncheckedIOException e) {
          throw new ArchiveException(
              "cannot list %s: %s".formatted(folder, ArchiveException.reason(e)), e);
        }
      }
    }
    return names;
  }

  @Override
  public void delete(String name) {
    Path file = path(name);
    try {
      Files.deleteIfExists(file);
      // The folders of its month and year, once nothing is in them.
      Files.deleteIfExists(folderOf(file));
      Files.deleteIfExists(folderOf(folderOf(file)));
    } catch (DirectoryNotEmptyException | NoSuchFileException e) {
      // Others still have files there.
    } catch (IOException e) {
      throw cannot("delete", name, e);
    }
  }

  @Override
  public void close() {}

  @Override
  public String toString() {
    return root.toString();
  }
}
