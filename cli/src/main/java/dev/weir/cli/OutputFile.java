package dev.weir.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/** A file that a user wants written. It is there as a whole or stays as it was. */
final class OutputFile {
  private OutputFile() {}

  static void write(Path file, String content) {
    if (Files.isDirectory(file)) {
      throw new InputException(file + " is a folder; name a file in it");
    }
    try {
      if (Files.exists(file) && !Files.isRegularFile(file)) {
        // A pipe or a device must stay one.
        Files.writeString(file, content);
        return;
      }
      // A link stays one, too.
      Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
      Path folder = Objects.requireNonNull(real.getParent(), "folder");
      if (!Files.isDirectory(folder)) {
        throw new InputException(file + " cannot be written: there is no folder " + folder);
      }
      replace(real, folder.resolve("." + real.getFileName() + ".new"), content);
    } catch (AccessDeniedException denied) {
      throw new InputException(file + " cannot be written: permission denied");
    } catch (IOException failure) {
      throw new InputException(file + " cannot be written: " + failure.getMessage());
    }
  }

  private static void replace(Path file, Path beside, String content) throws IOException {
    try {
      Files.writeString(beside, content);
      Files.move(beside, file, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(beside);
    }
  }
}
