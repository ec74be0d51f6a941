package dev.weir.control.change;

import dev.weir.control.testing.Databases;

class H2ChangeFeedIT extends ChangeFeedContract {
  H2ChangeFeedIT() {
    super(Databases.h2());
  }
}
