package dev.weir.control.change;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18ChangeFeedIT extends PostgresChangeFeedContract {
  Postgres18ChangeFeedIT() {
    super(Databases.privatePostgres(PostgresServer.Version.V18));
  }
}
