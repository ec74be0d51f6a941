package dev.weir.control.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How soon calls on a broken server fail, with the default timeouts. */
@Tag("long")
class DatabaseTimingLongIT {
  /** In how long a call must fail, on a machine that is busy with other things too. */
  private static final Duration FAILS_WITHIN = Duration.ofSeconds(8);

  private static final String VERSION = "select cast(version as text) from config_version";

  @TempDir Path folder = Path.of("");

  @ParameterizedTest
  @EnumSource
  void aStatementThatTakesTooLongIsGivenUpInSeconds(PostgresServer.Version version) {
    try (Database database = Databases.postgres(version).migrated(folder).open()) {
      assertFailsInTime(database, "select cast(pg_sleep(60) as text)");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatIsFrozenOrKilledFailsCallsInSeconds(PostgresServer.Version version) {
    try (Databases databases = Databases.privatePostgres(version)) {
      Databases.Source source = databases.migrated(folder);
      try (Database database = source.open()) {
        databases.server().pause();
        for (int i = 0; i < 3; i++) {
          assertFailsInTime(database, VERSION);
        }
        assertInTime(
            () ->
                assertThatThrownBy(source::open)
                    .isInstanceOf(DatabaseException.class)
                    .hasMessageStartingWith("cannot connect to " + source.settings().url()));
        databases.server().kill();
        for (int i = 0; i < 3; i++) {
          assertFailsInTime(database, VERSION);
        }
        assertInTime(() -> source.openInBackground(DatabaseTimeouts.defaults()).close());
      }
    }
  }

  private static void assertFailsInTime(Database database, String query) {
    assertInTime(
        () ->
            assertThatThrownBy(
                    () ->
                        database
                            .jdbi()
                            .withHandle(
                                handle -> handle.createQuery(query).mapTo(String.class).one()))
                .isInstanceOf(JdbiException.class));
  }

  private static void assertInTime(Runnable call) {
    long startNanos = System.nanoTime();
    call.run();
    assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(FAILS_WITHIN);
  }
}
