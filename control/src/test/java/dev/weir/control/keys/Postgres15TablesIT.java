package dev.weir.control.keys;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("long")
class Postgres15TablesIT extends TablesContract {
  Postgres15TablesIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
