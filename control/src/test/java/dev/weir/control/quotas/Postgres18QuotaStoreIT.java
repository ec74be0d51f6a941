package dev.weir.control.quotas;

import dev.weir.control.rows.EmptyDatabases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18QuotaStoreIT extends QuotaStoreContract {
  Postgres18QuotaStoreIT() {
    super(EmptyDatabases.on(PostgresServer.Version.V18));
  }
}
