package dev.weir.control.keys;

import dev.weir.control.rows.EmptyDatabases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18TablesIT extends TablesContract {
  Postgres18TablesIT() {
    super(EmptyDatabases.on(PostgresServer.Version.V18));
  }
}
