package dev.weir.control.archive;

import dev.weir.control.database.Database;
import dev.weir.control.testing.Databases;

class H2ArchiveIT extends ArchiveFaultContract {
  private final Databases databases = Databases.h2();

  @Override
  Database openEmpty() {
    return databases.migrated(folder).open();
  }
}
