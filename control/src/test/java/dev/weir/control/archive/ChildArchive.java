package dev.weir.control.archive;

import dev.weir.TimeSource;
import dev.weir.control.database.Database;
import dev.weir.policy.config.DatabaseSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A process that archives what is due, unless it is killed before. */
final class ChildArchive {
  private ChildArchive() {}

  /** Starts one; it says {@code ready} when it begins and {@code done} when it ends. */
  static Process start(
      DatabaseSettings settings, Path data, String archive, Map<String, String> environment)
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
                archive)
            .redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** With the address, user and password of the database, its folder, and where the archive is. */
  public static void main(String[] args) {
    DatabaseSettings settings = new DatabaseSettings(args[0], args[1], args[2]);
    try (Database database = Database.open(settings, Path.of(args[3]))) {
      Archive archive =
          new Archive(
              database,
              () -> ArchiveFixture.settings(args[4]),
              TimeSource.manual(ArchiveFixture.NOW));
      System.out.println("ready");
      ArchiveReport report = archive.run().orElseThrow();
      report.failures().forEach(failure -> System.out.println(failure.message()));
      System.out.println("done");
    } catch (RuntimeException e) {
      System.out.println("failed " + e);
    }
  }
}
