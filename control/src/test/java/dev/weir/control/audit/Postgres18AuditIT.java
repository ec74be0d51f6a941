package dev.weir.control.audit;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18AuditIT extends AuditContract {
  Postgres18AuditIT() {
    super(Databases.postgres(PostgresServer.Version.V18));
  }
}
