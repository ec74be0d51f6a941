package dev.weir.control.database;

import dev.weir.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("long")
class Postgres15DatabaseIT extends PostgresDatabaseContract {
  Postgres15DatabaseIT() {
    super(PostgresServer.Version.V15);
  }
}
