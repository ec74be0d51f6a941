package dev.weir.control.quotas;

import dev.weir.control.rows.EmptyDatabases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres15QuotaStoreIT extends QuotaStoreContract {
  Postgres15QuotaStoreIT() {
    super(EmptyDatabases.on(PostgresServer.Version.V15));
  }
}
