package dev.weir.control.archive;

import dev.weir.testkit.postgres.PostgresServer;
import org.junit.jupiter.api.Tag;

@Tag("long")
class Postgres15ArchiveIT extends PostgresArchiveContract {
  Postgres15ArchiveIT() {
    super(PostgresServer.Version.V15);
  }
}
