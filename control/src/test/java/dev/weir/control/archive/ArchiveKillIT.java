package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.control.testing.Databases;
import java.io.BufferedReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A process that is killed between two steps of archiving loses nothing and doubles nothing. {@link
 * ArchiveKillLongIT} kills it at random moments, and {@link ArchiveFaultContract} cuts it off after
 * every step without a kill.
 */
class ArchiveKillIT extends ArchiveFixture {
  @Override
  Database openEmpty() {
    return Databases.h2().migrated(folder).open();
  }

  @Test
  void whatAKilledProcessHasWrittenIsArchivedOnce() throws Exception {
    Databases.Source data = Databases.h2().migrated(folder);
    Map<MonthlyTable, List<ArchiveRow>> all;
    try (Database database = data.open()) {
      new SampleRows(database, 1).insert(JANUARY, 300);
      all = everything(database);
    }
    Process process =
        ChildArchive.startUpTo(
            ArchiveState.WRITTEN, data.settings(), data.dataFolder(), place.toString());
    try (BufferedReader lines = process.inputReader()) {
      assertThat(lines.readLine()).isEqualTo("ready");
      assertThat(lines.readLine()).isEqualTo("WRITTEN");
    } finally {
      process.destroyForcibly().onExit().join();
    }
    try (Database database = data.open()) {
      Archive archive = archive(database);
      assertThat(archive.list()).extracting(ArchiveJob::state).containsOnly(ArchiveState.WRITTEN);
      assertThat(run(archive).failures()).isEmpty();
      assertThat(archive.list()).extracting(ArchiveJob::state).containsOnly(ArchiveState.DROPPED);
      assertArchived(all);
      assertThat(files()).hasSize(2);
      for (MonthlyTable table : MonthlyTable.values()) {
        assertThat(SampleRows.in(database, table)).isEmpty();
      }
    }
  }
}
