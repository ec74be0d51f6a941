package dev.weir.control.configuration;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("long")
class Postgres15ConfigurationExportIT extends PostgresConfigurationExportContract {
  Postgres15ConfigurationExportIT() {
    super(Databases.privatePostgres(PostgresServer.Version.V15));
  }
}
