package dev.weir.control.change;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("long")
class Postgres15ChangeFeedIT extends PostgresChangeFeedContract {
  Postgres15ChangeFeedIT() {
    super(Databases.privatePostgres(PostgresServer.Version.V15));
  }
}
