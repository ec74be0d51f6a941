package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages about a directory that cannot be used say what is wrong and what to do. */
class FolderPlaceTest {
  private static final String WHAT_TO_DO =
      "; make it writable for the server, or set audit.archive to another directory";

  @TempDir private Path folder = Path.of("");

  private static void assertUnusable(Path place, String problem) {
    try (Place unusable = Place.of(place.toString())) {
      assertThatThrownBy(unusable::requireUsable)
          .isInstanceOf(ArchiveException.class)
          .hasMessage(
              "audit.archive: cannot write to directory " + place + ": " + problem + WHAT_TO_DO);
    }
  }

  @Test
  void aFileIsNotADirectory() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));

    assertUnusable(file, "exists and is not a directory");
  }

  @Test
  void aFileAboveTheDirectoryIsNamed() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    Path inside = file.resolve("a").resolve("archive");

    assertUnusable(inside, file.resolve("a") + ": Not a directory");
  }

  @Test
  void aDirectoryCannotBeInsideAFile() throws IOException {
    Path inside = Files.createFile(folder.resolve("file")).resolve("archive");

    assertUnusable(inside, "Not a directory");
  }
}
