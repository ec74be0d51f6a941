package dev.weir.control.configuration;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("long")
class Postgres15ConfigurationRowsIT extends ConfigurationRowsContract {
  Postgres15ConfigurationRowsIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
