package dev.weir.control.outbox;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18DeliveryIT extends DeliveryContract {
  Postgres18DeliveryIT() {
    super(Databases.postgres(PostgresServer.Version.V18));
  }
}
