package dev.weir.control.outbox;

import dev.weir.testkit.postgres.PostgresServer;

class Postgres15DeliveryIT extends DeliveryContract {
  Postgres15DeliveryIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
