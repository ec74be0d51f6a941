package dev.weir.control.change;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres15ChangeFeedIT extends PostgresChangeFeedContract {
  Postgres15ChangeFeedIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
