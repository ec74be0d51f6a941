package dev.weir.control.change;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("long")
class Postgres15ChangesIT extends ChangesContract {
  Postgres15ChangesIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
