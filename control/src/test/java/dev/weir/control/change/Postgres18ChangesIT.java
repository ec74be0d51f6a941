package dev.weir.control.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.control.database.Database;
import dev.weir.control.database.DatabaseException;
import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

class Postgres18ChangesIT extends ChangesContract {
  Postgres18ChangesIT() {
    super(Databases.postgres(PostgresServer.Version.V18));
  }

  private static DatabaseException failureOf(Database database, Changes.Change<Long> change) {
    return catchThrowableOfType(
        DatabaseException.class, () -> new Changes(database).make("admin", change));
  }

  @Test
  void aConnectionThatBreaksInTheEndLeavesTheOutcomeUnknown() {
    String end = "select pg_terminate_backend(pg_backend_pid())";
    try (Database database = databases.migrated(folder).open()) {
      DatabaseException before =
          failureOf(
              database,
              (handle, acts) -> {
                handle.execute(end);
                return ChangesContract.block(handle, acts, "user:before");
              });
      assertThat(before.isOutcomeUnknown()).isFalse();

      database.jdbi().useHandle(Postgres18ChangesIT::endAtCommit);
      DatabaseException atTheEnd =
          failureOf(
              database, (handle, acts) -> ChangesContract.block(handle, acts, "user:at_the_end"));
      assertThat(atTheEnd.isOutcomeUnknown()).isTrue();
    }
  }

  /** From now on the server ends the connection of whoever commits a block. */
  private static void endAtCommit(Handle handle) {
    handle.execute(
        "create function hang_up() returns trigger language plpgsql as"
            + " 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end'");
    handle.execute(
        "create constraint trigger hangs_up after insert on blocks deferrable initially deferred"
            + " for each row execute function hang_up()");
  }
}
