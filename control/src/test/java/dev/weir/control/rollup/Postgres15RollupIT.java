package dev.weir.control.rollup;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("long")
class Postgres15RollupIT extends RollupContract {
  Postgres15RollupIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
