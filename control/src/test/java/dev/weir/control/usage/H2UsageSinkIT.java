package dev.weir.control.usage;

import dev.weir.control.testing.Databases;

class H2UsageSinkIT extends UsageSinkContract {
  H2UsageSinkIT() {
    super(Databases.h2());
  }
}
