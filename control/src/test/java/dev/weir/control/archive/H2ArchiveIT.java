package dev.weir.control.archive;

import dev.weir.control.database.Database;
import dev.weir.policy.config.DatabaseSettings;

class H2ArchiveIT extends ArchiveFaultContract {
  /** A folder for each test has a database each. */
  @Override
  Database openEmpty() {
    return Database.open(new DatabaseSettings("", "", ""), folder);
  }
}
