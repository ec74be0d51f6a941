package dev.weir.control.keys;

import dev.weir.control.rows.EmptyDatabases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres15KeyStoreIT extends KeyStoreContract {
  Postgres15KeyStoreIT() {
    super(EmptyDatabases.on(PostgresServer.Version.V15));
  }
}
