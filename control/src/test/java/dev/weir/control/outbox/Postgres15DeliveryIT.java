package dev.weir.control.outbox;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("long")
class Postgres15DeliveryIT extends DeliveryContract {
  Postgres15DeliveryIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
