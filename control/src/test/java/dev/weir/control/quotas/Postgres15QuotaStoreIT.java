package dev.weir.control.quotas;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("long")
class Postgres15QuotaStoreIT extends QuotaStoreContract {
  Postgres15QuotaStoreIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
