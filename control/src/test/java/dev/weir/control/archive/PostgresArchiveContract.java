package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.database.Database;
import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import java.time.Duration;
import java.util.NoSuchElementException;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.Test;

/** The same on PostgreSQL, where several instances share a database. */
abstract class PostgresArchiveContract extends ArchiveFaultContract {
  private final Databases databases;

  PostgresArchiveContract(PostgresServer.Version version) {
    this.databases = Databases.postgres(version);
  }

  @Override
  Database openEmpty() {
    return databases.migrated(folder).open();
  }

  @Test
  void theLockOfWhoIsGoneIsFree() {
    try (Database one = openEmpty();
        ArchiveLock lock = ArchiveLock.tryTake(one).orElseThrow()) {
      lock.requireHeld();
      assertThat(ArchiveLock.tryTake(one)).isEmpty();
      one.jdbi()
          .useHandle(
              handle ->
                  handle.execute(
                      """
                      select pg_terminate_backend(pid) from pg_locks
                      where locktype = 'advisory' and pid <> pg_backend_pid()
                      and database = (select oid from pg_database where datname = current_database())
                      """));
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .ignoreException(NoSuchElementException.class)
          .untilAsserted(
              () -> {
                try (ArchiveLock other = ArchiveLock.tryTake(one).orElseThrow()) {
                  other.requireHeld();
                }
              });
      assertThatThrownBy(lock::requireHeld).isInstanceOf(JdbiException.class);
    }
  }
}
