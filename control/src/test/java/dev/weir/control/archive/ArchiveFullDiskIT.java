package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.testing.Databases;
import dev.weir.testkit.process.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a file system in memory that is really full or read-only; who may not mount one skips it. */
class ArchiveFullDiskIT {
  private static final Logger ARCHIVE = Logger.getLogger("dev.weir.control.archive");

  @TempDir private Path folder = Path.of("");
  private Path disk = Path.of("");
  private @Nullable SmallDisk mounted;

  @BeforeEach
  void mount() throws Exception {
    ARCHIVE.setLevel(Level.SEVERE);
    mounted = SmallDisk.mount(folder.resolve("disk"), "64k");
    disk = mounted.path();
  }

  @AfterEach
  void unmount() {
    ARCHIVE.setLevel(null);
    if (mounted != null) {
      mounted.close();
    }
  }

  private Database open() {
    return Databases.h2().migrated(folder).open();
  }

  private Archive archive(Database database) {
    return new Archive(
        database,
        () -> ArchiveFixture.settings(disk.toString()),
        TimeSource.manual(ArchiveFixture.NOW));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> tree = Files.walk(disk)) {
      return tree.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void aFullDiskKeepsTheMonthUntilThereIsRoom() throws Exception {
    try (Database database = open()) {
      new SampleRows(database, 1).insert(MonthlyTable.AUDIT_LOGS, ArchiveFixture.JANUARY, 3_000);
      Archive archive = archive(database);
      ArchiveReport report = archive.run().orElseThrow();
      assertThat(report.archived()).isEmpty();
      assertThat(report.failures())
          .singleElement()
          .satisfies(
              failure ->
                  assertThat(failure.message())
                      .startsWith("rate_limit_audit_logs 2020-01 stays: cannot write " + disk)
                      .endsWith("No space left on device"));
      assertThat(files()).isEmpty();
      assertThat(SampleRows.in(database, MonthlyTable.AUDIT_LOGS))
          .as("rows that queries find")
          .hasSize(3_000);

      Objects.requireNonNull(mounted).grow("20m");
      assertThat(archive.run().orElseThrow().rows()).isEqualTo(3_000);
      try (DuckDb duck = new DuckDb(disk.toString())) {
        assertThat(duck.count(MonthlyTable.AUDIT_LOGS)).isEqualTo(3_000);
      }
    }
  }

  @Test
  void aReadOnlyFolderIsSaidBeforeAnythingIsDone() throws Exception {
    try (Database database = open()) {
      new SampleRows(database, 2).insert(ArchiveFixture.JANUARY, 10);
      Objects.requireNonNull(mounted).setReadOnly(true);
      Archive archive = archive(database);
      assertThatThrownBy(archive::run)
          .isInstanceOf(ArchiveException.class)
          .hasMessageStartingWith("audit.archive: cannot write to directory " + disk + ": ")
          .hasMessageContaining("Read-only file system");
      assertThat(archive.list()).isEmpty();
      assertThat(SampleRows.in(database, MonthlyTable.METRICS)).hasSize(10);
      Objects.requireNonNull(mounted).setReadOnly(false);
      assertThat(archive.run().orElseThrow().rows()).isEqualTo(20);
    }
  }
}
