package dev.weir.control.configuration;

import dev.weir.control.testing.Databases;

class H2ConfigurationWatchIT extends ConfigurationWatchContract {
  H2ConfigurationWatchIT() {
    super(Databases.h2());
  }
}
