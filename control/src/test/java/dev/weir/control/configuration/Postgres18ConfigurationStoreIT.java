package dev.weir.control.configuration;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18ConfigurationStoreIT extends ConfigurationStoreContract {
  Postgres18ConfigurationStoreIT() {
    super(Databases.postgres(PostgresServer.Version.V18));
  }
}
