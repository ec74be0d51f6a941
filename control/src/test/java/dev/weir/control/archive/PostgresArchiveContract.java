package dev.weir.control.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.control.database.Database;
import dev.weir.policy.config.DatabaseSettings;
import dev.weir.testkit.postgres.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.JdbiException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The same on PostgreSQL, where several instances share a database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PostgresArchiveContract extends ArchiveFaultContract {
  private final PostgresServer server;
  private int databases;

  PostgresArchiveContract(PostgresServer.Version version) {
    this.server = PostgresServer.start(version);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Override
  Database openEmpty() {
    return Database.open(emptyDatabase(server, "archive_" + ++databases), folder);
  }

  static DatabaseSettings emptyDatabase(PostgresServer server, String name) {
    try (Connection connection =
            DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + name);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return new DatabaseSettings(server.jdbcUrl(name), server.user(), server.password());
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
                      """));
      Awaitility.await()
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
