package dev.weir.control.configuration;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18ConfigurationWatchIT extends PostgresConfigurationWatchContract {
  Postgres18ConfigurationWatchIT() {
    super(Databases.privatePostgres(PostgresServer.Version.V18));
  }
}
