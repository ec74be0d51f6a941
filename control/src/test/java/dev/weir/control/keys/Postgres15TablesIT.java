package dev.weir.control.keys;

import dev.weir.control.rows.EmptyDatabases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres15TablesIT extends TablesContract {
  Postgres15TablesIT() {
    super(EmptyDatabases.on(PostgresServer.Version.V15));
  }
}
