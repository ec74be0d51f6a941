package dev.weir.control.audit;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("long")
class Postgres15AuditIT extends AuditContract {
  Postgres15AuditIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
