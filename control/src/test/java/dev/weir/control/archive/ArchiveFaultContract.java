package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.database.Partitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds on every database when something goes wrong, or somebody else is at work. */
abstract class ArchiveFaultContract extends ArchiveContract {

  /** As after a kill between what a step does and the record of it. */
  @ParameterizedTest
  @EnumSource(names = {"PLANNED", "DETACHED", "WRITTEN", "VERIFIED"})
  void aStepThatWasDoneButNotRecordedIsDoneAgain(ArchiveState cut) throws Exception {
    Database database = database();
    SampleRows sample = new SampleRows(database, 5);
    sample.insert(JANUARY, 300);
    Map<MonthlyTable, List<ArchiveRow>> all = everything(database);
    stepsUpTo(database, cut);
    database
        .jdbi()
        .useHandle(handle -> handle.execute("update archive_jobs set state = ?", cut.text()));
    Archive archive = archive(database);
    assertThat(archive.plan()).extracting(PlannedMonth::state).contains(cut);
    assertThat(run(archive).failures()).isEmpty();
    assertArchived(all);
    assertThat(files()).hasSize(2);
    assertThat(archive.list()).extracting(ArchiveJob::state).containsOnly(ArchiveState.DROPPED);
  }

  /** Does all steps from the beginning up to the one that follows a state. */
  private ArchiveJob stepsUpTo(Database database, ArchiveState last) throws IOException {
    Jobs jobs = new Jobs(database);
    try (ArchiveLock lock = ArchiveLock.tryTake(database).orElseThrow();
        Place target = Place.of(place.toString())) {
      MonthWork work = new MonthWork(database, jobs, Optional.of(target), lock, new Stop());
      ArchiveJob job = jobs.create(MonthlyTable.AUDIT_LOGS, JANUARY);
      while (job.state().compareTo(last) <= 0) {
        job = work.step(job);
      }
      return job;
    }
  }

  /** What can happen to a file, and what is said about it. */
  enum Damage {
    FLIPPED("were written, ") {
      @Override
      void to(Path file, byte[] bytes) throws IOException {
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
      }
    },
    FLIPPED_NEAR_THE_END("were written, ") {
      @Override
      void to(Path file, byte[] bytes) throws IOException {
        bytes[bytes.length - 12] ^= 1;
        Files.write(file, bytes);
      }
    },
    CUT("were written, ") {
      @Override
      void to(Path file, byte[] bytes) throws IOException {
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 1));
      }
    },
    EMPTY("0 bytes with SHA-256 e3b0c442") {
      @Override
      void to(Path file, byte[] bytes) throws IOException {
        Files.write(file, new byte[0]);
      }
    },
    GONE("it is not there") {
      @Override
      void to(Path file, byte[] bytes) throws IOException {
        Files.delete(file);
      }
    };

    private final String message;

    Damage(String message) {
      this.message = message;
    }

    abstract void to(Path file, byte[] bytes) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void aDamagedFileIsNoticedAndNothingIsDropped(Damage damage) throws Exception {
    Database database = database();
    new SampleRows(database, 6).insert(JANUARY, 300);
    Map<MonthlyTable, List<ArchiveRow>> all = everything(database);
    ArchiveJob job = stepsUpTo(database, ArchiveState.DETACHED);
    Path file = Path.of(job.file().orElseThrow());
    damage.to(file, Files.readAllBytes(file));
    assertNoticed(database, damage.message, all);
  }

  /** The first run says so and drops nothing; the second one makes it right. */
  private void assertNoticed(
      Database database, String message, Map<MonthlyTable, List<ArchiveRow>> all) throws Exception {
    Archive archive = archive(database);
    ArchiveReport report = run(archive);
    assertThat(report.failures())
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.table()).isEqualTo(MonthlyTable.AUDIT_LOGS);
              assertThat(failure.month()).isEqualTo(JANUARY);
              assertThat(failure.message())
                  .startsWith("rate_limit_audit_logs 2020-01 stays: " + place)
                  .contains(message)
                  .contains("nothing was dropped");
            });
    // T85: what is not safe elsewhere stays where queries find it.
    assertThat(Partitions.of(database).listDetached(MonthlyTable.AUDIT_LOGS)).isEmpty();
    assertThat(everything(database).get(MonthlyTable.AUDIT_LOGS))
        .isEqualTo(all.get(MonthlyTable.AUDIT_LOGS));
    assertThat(run(archive).failures()).isEmpty();
    assertArchived(all);
    assertThat(files()).hasSize(2);
  }

  @Test
  void aWholeFileWithOtherRowsIsNoticedByTheirNumberAndTheirChecksum() throws Exception {
    for (boolean isNumber : new boolean[] {true, false}) {
      try (Database database = openEmpty()) {
        SampleRows sample = new SampleRows(database, 7);
        sample.insert(JANUARY, 100);
        Map<MonthlyTable, List<ArchiveRow>> all = everything(database);
        ArchiveJob job = stepsUpTo(database, ArchiveState.DETACHED);
        // As if the writer had left one out, or mixed them up, and nobody had noticed.
        String set =
            isNumber ? "row_count = row_count + 1" : "checksum = '" + "0".repeat(63) + "1'";
        database.jdbi().useHandle(handle -> handle.execute("update archive_jobs set " + set));
        assertNoticed(
            database,
            isNumber
                ? "101 rows were written, 100 are stored"
                : "the checksum of its rows is " + job.checksum().orElseThrow(),
            all);
      }
      deleteFiles();
    }
  }

  private void deleteFiles() throws IOException {
    for (String name : files()) {
      Files.delete(place.resolve(name));
    }
    try (Stream<Path> data = Files.list(folder)) {
      for (Path file : data.filter(each -> each.toString().endsWith(".db")).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void aRowThatSomebodyPutsIntoADetachedMonthIsNotDropped() throws Exception {
    Database database = database();
    new SampleRows(database, 8).insert(JANUARY, 100);
    stepsUpTo(database, ArchiveState.DETACHED);
    database
        .jdbi()
        .useHandle(
            handle ->
                handle.execute(
                    """
                    insert into rate_limit_audit_logs_2020_01_detached
                      (log_id, timestamp, decision, cost, degraded)
                    values (1000000, timestamp with time zone '2020-01-02 00:00:00+00', 'blocked', 1, false)
                    """));
    Archive archive = archive(database);
    assertThat(run(archive).failures())
        .singleElement()
        .satisfies(
            failure ->
                assertThat(failure.message())
                    .contains(
                        "has 100 rows, and rate_limit_audit_logs_2020_01_detached has 101; nothing was dropped"));
    assertThat(run(archive).failures()).isEmpty();
    try (DuckDb duck = new DuckDb(place.toString())) {
      assertThat(duck.count(MonthlyTable.AUDIT_LOGS)).isEqualTo(101);
    }
  }

  @Test
  void oneRunAtATime() throws Exception {
    Database database = database();
    new SampleRows(database, 9).insert(JANUARY, MANY);
    Map<MonthlyTable, List<ArchiveRow>> all = everything(database);
    Archive archive = archive(database);
    try (ArchiveLock lock = ArchiveLock.tryTake(database).orElseThrow()) {
      assertThat(archive(database).run()).isEmpty();
      assertThat(archive.deleteOlderThan(Archive.COLD_RETENTION)).isEmpty();
      lock.requireHeld();
    }
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Optional<ArchiveReport>>> runs = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        runs.add(archive(database)::run);
      }
      long archived = 0;
      for (Future<Optional<ArchiveReport>> each : threads.invokeAll(runs)) {
        Optional<ArchiveReport> report = each.get();
        assertThat(report.map(ArchiveReport::failures).orElse(List.of())).isEmpty();
        archived += report.map(ArchiveReport::rows).orElse(0L);
      }
      assertThat(archived).isEqualTo(2L * MANY);
    } finally {
      threads.shutdownNow();
    }
    assertArchived(all);
    assertThat(files()).hasSize(2);
  }

  @Test
  void whoFindsAStepDoneByAnotherOneStops() throws Exception {
    Database database = database();
    new SampleRows(database, 10).insert(JANUARY, 10);
    Jobs jobs = new Jobs(database);
    ArchiveJob job = jobs.create(MonthlyTable.AUDIT_LOGS, JANUARY);
    jobs.move(job, ArchiveState.DETACHED);
    assertThatThrownBy(() -> jobs.move(job, ArchiveState.DETACHED))
        .isInstanceOf(ArchiveException.class)
        .hasMessage(
            "rate_limit_audit_logs 2020-01 is no longer planned: somebody else has gone on with it");
  }

  @Test
  void aFileOfSomebodyElseIsLeftAlone() throws Exception {
    Database database = database();
    new SampleRows(database, 11).insert(MonthlyTable.AUDIT_LOGS, JANUARY, 10);
    Path other = place.resolve(auditFile(JANUARY, 1));
    Files.createDirectories(other.getParent());
    Files.writeString(other, "not ours");
    ArchiveReport report = run(archive(database));
    assertThat(report.files()).containsExactly(place + "/" + auditFile(JANUARY, 2));
    assertThat(other).hasContent("not ours");
  }

  @Test
  void aMonthThatWasBegunGoesToTheNewPlaceIfThatIsAnotherOneNow() throws Exception {
    Database database = database();
    new SampleRows(database, 12).insert(JANUARY, 100);
    Map<MonthlyTable, List<ArchiveRow>> all = everything(database);
    ArchiveJob job = stepsUpTo(database, ArchiveState.WRITTEN);
    Path before = Path.of(job.file().orElseThrow());
    assertThat(before).exists();
    place = folder.resolve("other");
    settings = settings(place.toString());
    assertThat(run(archive(database)).failures()).isEmpty();
    assertArchived(all);
    assertThat(before).doesNotExist();
  }

  @Test
  void aFolderThatCannotBeWrittenToIsSaidAndTheMonthStaysWhereItIs() throws Exception {
    Database database = database();
    new SampleRows(database, 13).insert(JANUARY, 10);
    Path file = Files.createFile(folder.resolve("file"));
    settings = settings(file.resolve("archive").toString());
    Archive archive = archive(database);
    assertThatThrownBy(archive::run)
        .isInstanceOf(ArchiveException.class)
        .hasMessageStartingWith(
            "audit.archive: cannot write to directory " + file.resolve("archive") + ": ");
    assertThat(archive.list()).isEmpty();
    assertThat(SampleRows.in(database, MonthlyTable.AUDIT_LOGS)).hasSize(10);
    // The lock is not kept.
    settings = settings(place.toString());
    assertThat(run(archive).rows()).isEqualTo(20);
  }

  @Test
  void whoIsStoppedEndsSoonAndTheNextOneGoesOn() throws Exception {
    Database database = database();
    new SampleRows(database, 16).insert(JANUARY, MANY);
    Map<MonthlyTable, List<ArchiveRow>> all = everything(database);
    Archive archive = archive(database);
    stepsUpTo(database, ArchiveState.PLANNED);
    archive.stop();
    assertThat(run(archive).failures())
        .singleElement()
        .satisfies(
            failure ->
                assertThat(failure.message())
                    .isEqualTo(
                        "rate_limit_audit_logs 2020-01 stays: archiving was stopped; the next run goes on with it"));
    assertThat(run(archive(database)).failures()).isEmpty();
    assertArchived(all);
  }
}
