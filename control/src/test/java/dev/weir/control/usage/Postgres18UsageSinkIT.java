package dev.weir.control.usage;

import dev.weir.control.rows.EmptyDatabases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18UsageSinkIT extends UsageSinkContract {
  Postgres18UsageSinkIT() {
    super(EmptyDatabases.on(PostgresServer.Version.V18));
  }
}
