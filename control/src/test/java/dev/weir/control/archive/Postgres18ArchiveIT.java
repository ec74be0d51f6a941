package dev.weir.control.archive;

import dev.weir.testkit.postgres.PostgresServer;

class Postgres18ArchiveIT extends PostgresArchiveContract {
  Postgres18ArchiveIT() {
    super(PostgresServer.Version.V18);
  }
}
