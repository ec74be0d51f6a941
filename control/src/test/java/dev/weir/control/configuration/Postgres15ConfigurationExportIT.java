package dev.weir.control.configuration;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres15ConfigurationExportIT extends PostgresConfigurationExportContract {
  Postgres15ConfigurationExportIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
