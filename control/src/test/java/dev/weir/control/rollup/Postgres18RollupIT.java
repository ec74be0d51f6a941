package dev.weir.control.rollup;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;

class Postgres18RollupIT extends RollupContract {
  Postgres18RollupIT() {
    super(Databases.postgres(PostgresServer.Version.V18));
  }
}
