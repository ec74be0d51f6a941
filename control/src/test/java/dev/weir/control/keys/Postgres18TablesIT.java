package dev.weir.control.keys;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18TablesIT extends TablesContract {
  Postgres18TablesIT() {
    super(Databases.postgres(PostgresServer.Version.V18));
  }
}
