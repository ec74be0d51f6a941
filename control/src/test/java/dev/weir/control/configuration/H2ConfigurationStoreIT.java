package dev.weir.control.configuration;

import dev.weir.control.testing.Databases;

class H2ConfigurationStoreIT extends ConfigurationStoreContract {
  H2ConfigurationStoreIT() {
    super(Databases.h2());
  }
}
