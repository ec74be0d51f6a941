package dev.weir.control.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.change.ChangeFeed;
import dev.weir.control.configuration.ConfigurationWatchContract.Instance;
import dev.weir.control.database.DatabaseTimeouts;
import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long starts and changes take, with the default timeouts and intervals. */
@Tag("long")
class ConfigurationWatchTimingLongIT {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration START = Duration.ofSeconds(2);

  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @EnumSource
  void aChangeIsInForceElsewhereWithinASecond(PostgresServer.Version version) {
    Databases.Source source = Databases.postgres(version).migrated(folder);
    ChangeFeed.Intervals intervals = ChangeFeed.Intervals.defaults();
    try (Instance one = new Instance(source.open(), folder.resolve("one"), intervals).start(LONG);
        Instance other =
            new Instance(source.open(), folder.resolve("other"), intervals).start(LONG)) {
      for (int i = 1; i <= 20; i++) {
        one.rule("r" + i);
        long startNanos = System.nanoTime();
        int rules = i + 1;
        Awaitility.await()
            .atMost(LONG)
            .pollInterval(Duration.ofMillis(5))
            .until(() -> other.last().policy().rules().size() == rules);
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
            .isLessThan(Duration.ofSeconds(1));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("T64: a start without the database takes less than 2 s")
  void aStartWithoutTheDatabaseIsShort(PostgresServer.Version version) {
    try (Databases databases = Databases.privatePostgres(version)) {
      Databases.Source source = databases.migrated(folder);
      databases.server().pause();
      startInTime(source, "silent");
      databases.server().kill();
      startInTime(source, "down");
    }
  }

  private void startInTime(Databases.Source source, String data) {
    long startNanos = System.nanoTime();
    try (Instance instance =
        new Instance(
                source.openInBackground(DatabaseTimeouts.defaults()),
                folder.resolve(data),
                ChangeFeed.Intervals.defaults())
            .start(ConfigurationWatch.PATIENCE)) {
      Duration took = Duration.ofNanos(System.nanoTime() - startNanos);
      System.out.printf("started without its database in %d ms%n", took.toMillis());
      assertThat(took).isLessThan(START);
      instance.awaitRules("from_file");
    }
  }
}
