package dev.weir.control.change;

import dev.weir.control.testing.Databases;

class H2ChangesIT extends ChangesContract {
  H2ChangesIT() {
    super(Databases.h2());
  }
}
