package dev.weir.control.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.control.database.Database;
import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long it takes until a change is seen, with the default intervals. */
@Tag("long")
class ChangeFeedTimingLongIT {
  private static final Duration A_SECOND = Duration.ofSeconds(1);

  /** In how long a change must be seen that no notification comes of. */
  private static final Duration LATEST = Duration.ofSeconds(10);

  @TempDir Path folder = Path.of("");

  private static ChangeFeedContract.Told told(Database database) {
    ChangeFeedContract.Told told =
        new ChangeFeedContract.Told(database, ChangeFeed.Intervals.defaults());
    told.await(0);
    return told;
  }

  private static void assertSeenWithin(
      Duration bound, ChangeFeedContract.Told told, Changes changes, int count) {
    for (int i = 0; i < count; i++) {
      long version = ChangeFeedContract.block(changes, "user:" + told.last());
      long startNanos = System.nanoTime();
      told.await(version);
      assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(bound);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aChangeOfAnotherInstanceIsNotifiedWithinASecond(PostgresServer.Version version) {
    Databases.Source source = Databases.postgres(version).migrated(folder);
    try (Database one = source.open();
        Database other = source.open();
        ChangeFeedContract.Told told = told(other)) {
      assertSeenWithin(A_SECOND, told, new Changes(one), 20);
    }
  }

  @Test
  void changesOfThisProcessAreSeenWithinASecond() {
    try (Database database = Databases.h2().migrated(folder).open();
        ChangeFeedContract.Told told = told(database)) {
      Changes changes = new Changes(database);
      changes.onChange(told.feed::wake);
      assertSeenWithin(A_SECOND, told, changes, 10);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("T67: where no notification can come, a change is seen within 10 s")
  void whereNoNotificationCanComeAChangeIsSeenWithinTenSeconds(PostgresServer.Version version)
      throws SQLException {
    Databases.Source source = Databases.postgres(version).migrated(folder);
    PostgresServer server = PostgresServer.shared(version);
    try (Database one = source.open();
        Database other = source.open();
        ChangeFeedContract.Told told = told(other);
        Connection connection =
            DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute("alter database %s allow_connections false".formatted(source.name()));
      statement.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity where datname = '%s'"
                  .formatted(source.name())
              + " and query = 'listen weir_changes'");
      assertSeenWithin(LATEST, told, new Changes(one), 3);
    }
  }
}
