package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.policy.config.AuditSettings;
import dev.weir.testkit.TestLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A database, an archive in a folder, and a clock for tests. */
abstract class ArchiveFixture {
  static final YearMonth JANUARY = YearMonth.of(2020, 1);
  static final YearMonth FEBRUARY = YearMonth.of(2020, 2);
  static final YearMonth MARCH = YearMonth.of(2020, 3);

  /** In the middle of June: with 90 days, February is the last month that is wholly past. */
  static final Instant NOW = Instant.parse("2020-06-15T12:00:00Z");

  /** How many rows a month has that is not read from the database at once. */
  static final int MANY = TestLevel.amount("weir.control.archive.month", 2_200, 5_000);

  private static final Logger ARCHIVE = Logger.getLogger("dev.weir.control.archive");

  @TempDir Path folder = Path.of("");
  final ManualTime time = TimeSource.manual(NOW);
  private final List<Database> opened = new ArrayList<>();
  volatile Path place = Path.of("");
  volatile AuditSettings settings = settings("");

  /** A database without anything in it. */
  abstract Database openEmpty();

  @BeforeAll
  static void onlyWhatMatters() {
    ARCHIVE.setLevel(Level.SEVERE);
  }

  @AfterAll
  static void logAgain() {
    ARCHIVE.setLevel(null);
  }

  @BeforeEach
  void archiveInAFolder() {
    time.set(NOW);
    place = folder.resolve("archive");
    settings = settings(place.toString());
  }

  @AfterEach
  void closeDatabases() {
    opened.forEach(Database::close);
    opened.clear();
  }

  static AuditSettings settings(String archive) {
    return new AuditSettings(Set.of(), Duration.ofDays(90), archive);
  }

  Database database() {
    Database database = openEmpty();
    opened.add(database);
    return database;
  }

  Archive archive(Database database) {
    return new Archive(database, () -> settings, time);
  }

  static ArchiveReport run(Archive archive) {
    return archive.run().orElseThrow();
  }

  static Map<MonthlyTable, List<ArchiveRow>> everything(Database database) {
    Map<MonthlyTable, List<ArchiveRow>> rows = new HashMap<>();
    for (MonthlyTable table : MonthlyTable.values()) {
      rows.put(table, SampleRows.in(database, table));
    }
    return rows;
  }

  void assertArchived(Map<MonthlyTable, List<ArchiveRow>> expected) throws Exception {
    try (DuckDb duck = new DuckDb(place.toString())) {
      for (MonthlyTable table : MonthlyTable.values()) {
        assertThat(duck.rows(table)).isEqualTo(expected.get(table)).isNotEmpty();
      }
    }
  }

  List<String> files() throws IOException {
    if (!Files.exists(place)) {
      return List.of();
    }
    try (Stream<Path> tree = Files.walk(place)) {
      return tree.filter(Files::isRegularFile)
          .map(file -> place.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  static String auditFile(YearMonth month, int part) {
    return new ArchiveFile(MonthlyTable.AUDIT_LOGS, month, part).name();
  }
}
