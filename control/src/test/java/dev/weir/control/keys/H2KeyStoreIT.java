package dev.weir.control.keys;

import dev.weir.control.testing.Databases;

class H2KeyStoreIT extends KeyStoreContract {
  H2KeyStoreIT() {
    super(Databases.h2());
  }
}
