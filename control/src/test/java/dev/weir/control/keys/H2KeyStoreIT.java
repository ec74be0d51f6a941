package dev.weir.control.keys;

import dev.weir.control.rows.EmptyDatabases;

class H2KeyStoreIT extends KeyStoreContract {
  H2KeyStoreIT() {
    super(EmptyDatabases.embedded());
  }
}
