package dev.weir.control.rollup;

import dev.weir.control.outbox.Databases;

class H2RollupIT extends RollupContract {
  H2RollupIT() {
    super(Databases.h2());
  }
}
