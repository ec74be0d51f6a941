package dev.weir.control.rollup;

import dev.weir.control.testing.Databases;

class H2RollupIT extends RollupContract {
  H2RollupIT() {
    super(Databases.h2());
  }
}
