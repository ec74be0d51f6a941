package dev.weir.control.usage;

import dev.weir.control.rows.EmptyDatabases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres15UsageSinkIT extends UsageSinkContract {
  Postgres15UsageSinkIT() {
    super(EmptyDatabases.on(PostgresServer.Version.V15));
  }
}
