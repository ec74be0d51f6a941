package dev.weir.control.rollup;

import dev.weir.control.outbox.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres15RollupIT extends RollupContract {
  Postgres15RollupIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
