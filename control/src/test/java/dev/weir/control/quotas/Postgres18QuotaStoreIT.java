package dev.weir.control.quotas;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18QuotaStoreIT extends QuotaStoreContract {
  Postgres18QuotaStoreIT() {
    super(Databases.postgres(PostgresServer.Version.V18));
  }
}
