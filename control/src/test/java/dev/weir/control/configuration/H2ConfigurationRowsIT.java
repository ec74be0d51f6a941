package dev.weir.control.configuration;

import dev.weir.control.testing.Databases;

class H2ConfigurationRowsIT extends ConfigurationRowsContract {
  H2ConfigurationRowsIT() {
    super(Databases.h2());
  }
}
