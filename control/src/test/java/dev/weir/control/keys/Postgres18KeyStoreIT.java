package dev.weir.control.keys;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18KeyStoreIT extends KeyStoreContract {
  Postgres18KeyStoreIT() {
    super(Databases.postgres(PostgresServer.Version.V18));
  }
}
