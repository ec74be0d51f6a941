package dev.weir.control.usage;

import dev.weir.control.testing.Databases;
import dev.weir.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("long")
class Postgres15UsageSinkIT extends UsageSinkContract {
  Postgres15UsageSinkIT() {
    super(Databases.postgres(PostgresServer.Version.V15));
  }
}
