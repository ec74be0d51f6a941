package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.database.Partitions;
import dev.weir.control.testing.Databases;
import dev.weir.policy.config.DatabaseSettings;
import dev.weir.testkit.TestLevel;
import dev.weir.testkit.postgres.PostgresServer;
import dev.weir.testkit.s3.S3Server;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that is killed anywhere in the middle of archiving loses nothing and doubles nothing.
 */
@Tag("long")
class ArchiveKillLongIT {
  private static final int KILLS = TestLevel.amount("weir.control.archive.kills", 2, 20);
  private static final int ROWS = 5_000;
  private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");

  private final long seed =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
  private final SplittableRandom random = new SplittableRandom(seed);

  @TempDir private Path folder = Path.of("");

  /** What all rows that ever were in a table add up to. */
  private final Map<MonthlyTable, RowDigest> inserted = new EnumMap<>(MonthlyTable.class);

  private final Map<String, Integer> cutIn = new TreeMap<>();
  private long longestNanos = 1_000_000_000;

  @BeforeEach
  void start() {
    POOL.setLevel(Level.WARNING);
  }

  @Test
  void inAnEmbeddedDatabaseWithAFolder() throws Exception {
    Path place = folder.resolve("archive");
    killAndCheck(new DatabaseSettings("", "", ""), place.toString(), place, Map.of());
  }

  @Test
  void onPostgresqlWithAFolder() throws Exception {
    Path place = folder.resolve("archive");
    killAndCheck(
        Databases.postgres(PostgresServer.Version.V18).migrated(folder).settings(),
        place.toString(),
        place,
        Map.of());
  }

  @Test
  void onPostgresqlWithS3() throws Exception {
    try (S3Server s3 = S3Server.start()) {
      Path bucket = s3.createBucket("cold-storage");
      Map<String, String> environment =
          Map.of(
              "AWS_ENDPOINT_URL_S3", s3.endpoint().toString(),
              "AWS_REGION", s3.region(),
              "AWS_ACCESS_KEY_ID", s3.accessKey(),
              "AWS_SECRET_ACCESS_KEY", s3.secretKey());
      killAndCheck(
          Databases.postgres(PostgresServer.Version.V15).migrated(folder).settings(),
          "s3://cold-storage/weir",
          bucket.resolve("weir"),
          environment);
    }
  }

  private void killAndCheck(
      DatabaseSettings settings, String archive, Path files, Map<String, String> environment)
      throws Exception {
    // The first one may end, and tells how long that takes.
    insert(settings);
    finish(settings, archive, environment);
    for (int kill = 0; kill < KILLS; kill++) {
      insert(settings);
      use(ChildArchive.start(settings, folder.resolve("data"), archive, environment), true);
      noteWhereItWasCut(settings);
      // Some are cut off twice; but rows must not pile up, or none would get beyond its first step.
      if (random.nextBoolean()) {
        finish(settings, archive, environment);
      }
    }
    finish(settings, archive, environment);
    try (Database database = Database.open(settings, folder.resolve("data"))) {
      assertNothingIsLeft(database);
      assertFilesHaveEverything(database, files);
    }
    System.out.printf(
        "archive: %d kills, seed %d; months were cut off in %s%n", KILLS, seed, cutIn);
  }

  private void finish(DatabaseSettings settings, String archive, Map<String, String> environment)
      throws IOException {
    Process process = ChildArchive.start(settings, folder.resolve("data"), archive, environment);
    assertThat(use(process, false)).as("seed %d", seed).containsExactly("ready", "done");
  }

  private void noteWhereItWasCut(DatabaseSettings settings) {
    try (Database database = Database.open(settings, folder.resolve("data"))) {
      new Jobs(database).open().forEach(job -> cutIn.merge(job.state().text(), 1, Integer::sum));
    }
  }

  private void insert(DatabaseSettings settings) {
    try (Database database = Database.open(settings, folder.resolve("data"))) {
      insert(database);
    }
  }

  /** Rows of one of two months, which may have left already. */
  private void insert(Database database) {
    YearMonth month = ArchiveFixture.JANUARY.plusMonths(random.nextInt(2));
    Map<MonthlyTable, Set<ArchiveRow>> before = new EnumMap<>(MonthlyTable.class);
    for (MonthlyTable table : MonthlyTable.values()) {
      before.put(table, new HashSet<>(SampleRows.in(database, table)));
    }
    SampleRows sample = new SampleRows(database, random.nextLong());
    sample.insert(MonthlyTable.AUDIT_LOGS, month, ROWS);
    sample.insert(MonthlyTable.METRICS, month, ROWS / 10);
    before.forEach(
        (table, old) -> {
          List<ArchiveRow> now = SampleRows.in(database, table);
          assertThat(now).hasSizeGreaterThan(old.size());
          now.stream().filter(row -> !old.contains(row)).forEach(row -> row.addTo(inserted(table)));
        });
  }

  private RowDigest inserted(MonthlyTable table) {
    return inserted.computeIfAbsent(table, first -> new RowDigest());
  }

  /** Kills it at some time, or lets it end; returns what it said. */
  private List<String> use(Process process, boolean isKilled) throws IOException {
    List<String> said = new ArrayList<>();
    try (BufferedReader lines = process.inputReader()) {
      said.add(lines.readLine());
      assertThat(said).as("seed %d", seed).containsExactly("ready");
      long startNanos = System.nanoTime();
      if (isKilled) {
        LockSupport.parkNanos(random.nextLong(longestNanos));
        // By its handle, which leaves what it has said to be read.
        process.toHandle().destroyForcibly();
      }
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.add(line);
      }
      if (!isKilled) {
        longestNanos = System.nanoTime() - startNanos;
      }
    } finally {
      process.destroyForcibly().onExit().join();
    }
    return said;
  }

  private void assertNothingIsLeft(Database database) {
    for (MonthlyTable table : MonthlyTable.values()) {
      assertThat(SampleRows.in(database, table)).as("seed %d", seed).isEmpty();
      assertThat(Partitions.of(database).listDetached(table)).isEmpty();
    }
    Archive archive =
        new Archive(
            database, () -> ArchiveFixture.settings(""), TimeSource.manual(ArchiveFixture.NOW));
    assertThat(archive.plan()).isEmpty();
    assertThat(archive.list()).extracting(ArchiveJob::state).containsOnly(ArchiveState.DROPPED);
  }

  private void assertFilesHaveEverything(Database database, Path files) throws Exception {
    List<String> names = FolderPlace.of(files.toString()).list();
    assertThat(names)
        .as("seed %d", seed)
        .containsExactlyInAnyOrderElementsOf(
            new Jobs(database).list().stream().map(job -> job.archiveFile().name()).toList());
    try (DuckDb duck = new DuckDb(files.toString())) {
      for (MonthlyTable table : MonthlyTable.values()) {
        RowDigest stored = new RowDigest();
        duck.rows(table).forEach(row -> row.addTo(stored));
        assertThat(stored.rows()).as("seed %d", seed).isEqualTo(inserted(table).rows());
        assertThat(stored.checksum()).as("seed %d", seed).isEqualTo(inserted(table).checksum());
      }
    }
  }
}
