package dev.weir.control.archive;

import dev.weir.testkit.postgres.PostgresServer;

class Postgres15ArchiveIT extends PostgresArchiveContract {
  Postgres15ArchiveIT() {
    super(PostgresServer.Version.V15);
  }
}
