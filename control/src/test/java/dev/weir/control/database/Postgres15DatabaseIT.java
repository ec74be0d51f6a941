package dev.weir.control.database;

import dev.weir.testkit.postgres.PostgresServer;

class Postgres15DatabaseIT extends PostgresDatabaseContract {
  Postgres15DatabaseIT() {
    super(PostgresServer.Version.V15);
  }
}
