package dev.weir.control.usage;

import dev.weir.control.rows.EmptyDatabases;

class H2UsageSinkIT extends UsageSinkContract {
  H2UsageSinkIT() {
    super(EmptyDatabases.embedded());
  }
}
