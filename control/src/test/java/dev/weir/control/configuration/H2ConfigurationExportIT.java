package dev.weir.control.configuration;

import dev.weir.control.testing.Databases;

class H2ConfigurationExportIT extends ConfigurationExportContract {
  H2ConfigurationExportIT() {
    super(Databases.h2());
  }
}
