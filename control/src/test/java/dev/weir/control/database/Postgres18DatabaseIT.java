package dev.weir.control.database;

import dev.weir.testkit.postgres.PostgresServer;

class Postgres18DatabaseIT extends PostgresDatabaseContract {
  Postgres18DatabaseIT() {
    super(PostgresServer.Version.V18);
  }
}
