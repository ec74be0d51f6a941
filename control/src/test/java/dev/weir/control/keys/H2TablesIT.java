package dev.weir.control.keys;

import dev.weir.control.testing.Databases;

class H2TablesIT extends TablesContract {
  H2TablesIT() {
    super(Databases.h2());
  }
}
