package dev.weir.control.usage;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18UsageSinkIT extends UsageSinkContract {
  Postgres18UsageSinkIT() {
    super(Databases.postgres(PostgresServer.Version.V18));
  }
}
