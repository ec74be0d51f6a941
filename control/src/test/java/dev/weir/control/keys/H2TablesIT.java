package dev.weir.control.keys;

import dev.weir.control.rows.EmptyDatabases;

class H2TablesIT extends TablesContract {
  H2TablesIT() {
    super(EmptyDatabases.embedded());
  }
}
