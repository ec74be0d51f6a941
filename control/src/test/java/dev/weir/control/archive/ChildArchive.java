package dev.weir.control.archive;

import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.control.database.MonthlyTable;
import dev.weir.policy.config.DatabaseSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A process that archives what is due, unless it is killed before or stops after some step. */
final class ChildArchive {
  private ChildArchive() {}

  /** Starts one; it says {@code ready} when it begins and {@code done} when it ends. */
  static Process start(
      DatabaseSettings settings, Path data, String archive, Map<String, String> environment)
      throws IOException {
    return start(settings, data, archive, "", environment);
  }

  /** Starts one that says {@code ready}, takes January to that state, says so, and waits. */
  static Process startUpTo(ArchiveState state, DatabaseSettings settings, Path data, String archive)
      throws IOException {
    return start(settings, data, archive, state.name(), Map.of());
  }

  private static Process start(
      DatabaseSettings settings,
      Path data,
      String archive,
      String state,
      Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ChildArchive.class.getName(),
                settings.url(),
                settings.user(),
                settings.password(),
                data.toString(),
                archive,
                state)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(environment);
    return builder.start();
  }

  /**
   * With the address, user and password of the database, its folder, where the archive is, and the
   * state in which to stop.
   */
  public static void main(String[] args) throws IOException {
    DatabaseSettings settings = new DatabaseSettings(args[0], args[1], args[2]);
    try (Database database = Database.open(settings, Path.of(args[3]))) {
      Archive archive =
          new Archive(
              database,
              () -> ArchiveFixture.settings(args[4]),
              TimeSource.manual(ArchiveFixture.NOW));
      System.out.println("ready");
      if (!args[5].isEmpty()) {
        stepUpTo(ArchiveState.valueOf(args[5]), database, args[4]);
      }
      ArchiveReport report = archive.run().orElseThrow();
      report.failures().forEach(failure -> System.out.println(failure.message()));
      System.out.println("done");
    } catch (RuntimeException e) {
      System.out.println("failed " + e);
    }
  }

  private static void stepUpTo(ArchiveState state, Database database, String archive)
      throws IOException {
    Jobs jobs = new Jobs(database);
    try (ArchiveLock lock = ArchiveLock.tryTake(database).orElseThrow();
        Place place = Place.of(archive)) {
      MonthWork work = new MonthWork(database, jobs, Optional.of(place), lock, new Stop());
      ArchiveJob job = jobs.create(MonthlyTable.AUDIT_LOGS, ArchiveFixture.JANUARY);
      while (job.state() != state) {
        job = work.step(job);
      }
      System.out.println(state);
      // Whoever started this process kills it now.
      int unused = System.in.read();
    }
  }
}
