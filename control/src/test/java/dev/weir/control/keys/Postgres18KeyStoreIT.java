package dev.weir.control.keys;

import dev.weir.control.rows.EmptyDatabases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18KeyStoreIT extends KeyStoreContract {
  Postgres18KeyStoreIT() {
    super(EmptyDatabases.on(PostgresServer.Version.V18));
  }
}
