package dev.weir.control.configuration;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres15ConfigurationWatchIT extends PostgresConfigurationWatchContract {
  Postgres15ConfigurationWatchIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
