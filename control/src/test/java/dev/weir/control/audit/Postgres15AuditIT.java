package dev.weir.control.audit;

import dev.weir.control.outbox.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres15AuditIT extends AuditContract {
  Postgres15AuditIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
