package dev.weir.control.configuration;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18ConfigurationExportIT extends PostgresConfigurationExportContract {
  Postgres18ConfigurationExportIT() {
    super(Databases.privatePostgres(PostgresServer.Version.V18));
  }
}
