package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.testing.Databases;
import dev.weir.policy.config.AuditSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveScheduleIT {
  private static final Logger LOG = Logger.getLogger("dev.weir.control.archive");

  @TempDir Path folder = Path.of("");
  private final ManualTime time = TimeSource.manual(ArchiveFixture.NOW);
  private volatile AuditSettings settings = ArchiveFixture.settings("");

  @AfterEach
  void logAgain() {
    LOG.setLevel(null);
  }

  private static void awaitRuns(ArchiveSchedule schedule, long runs) {
    Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> schedule.runs() == runs);
  }

  /** Moves the clock until the next run has ended; it is set up by the one before. */
  private void advance(ArchiveSchedule schedule, Duration step) {
    long before = schedule.runs();
    time.advance(step.minusSeconds(1));
    assertThat(schedule.runs()).isEqualTo(before);
    time.advance(Duration.ofSeconds(1));
    awaitRuns(schedule, before + 1);
  }

  @Test
  void runsSoonAfterTheStartAndThenOnceADayWithTheSettingsOfTheDay() throws Exception {
    LOG.setLevel(Level.OFF);
    Path file = Files.createFile(folder.resolve("file"));
    settings = ArchiveFixture.settings(file.resolve("archive").toString());
    try (Database database = Databases.h2().migrated(folder).open()) {
      SampleRows sample = new SampleRows(database, 1);
      sample.insert(ArchiveFixture.JANUARY, 5);
      Archive archive = new Archive(database, () -> settings, time);
      try (ArchiveSchedule schedule = ArchiveSchedule.start(archive, time)) {
        advance(schedule, ArchiveSchedule.AFTER_START);
        assertThat(schedule.lastFailure())
            .get()
            .asString()
            .startsWith("cannot archive: audit.archive: cannot write to directory " + file);
        settings = ArchiveFixture.settings(folder.resolve("archive").toString());
        advance(schedule, ArchiveSchedule.AFTER_FAILURE);
        assertThat(schedule.lastFailure()).isEmpty();
        assertThat(archive.list()).hasSize(2);
        sample.insert(MonthlyTable.METRICS, ArchiveFixture.FEBRUARY, 1);
        advance(schedule, ArchiveSchedule.BETWEEN_RUNS);
        assertThat(archive.list()).hasSize(3);
      }
      sample.insert(MonthlyTable.METRICS, ArchiveFixture.FEBRUARY, 1);
      time.advance(Duration.ofDays(3));
      assertThat(archive.list()).hasSize(3);
    }
  }
}
