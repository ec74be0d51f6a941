package dev.weir.control.configuration;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18ConfigurationRowsIT extends ConfigurationRowsContract {
  Postgres18ConfigurationRowsIT() {
    super(Databases.postgres(PostgresServer.Version.V18));
  }
}
