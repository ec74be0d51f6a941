package dev.weir.control.outbox;

import dev.weir.control.testing.Databases;

class H2DeliveryIT extends DeliveryContract {
  H2DeliveryIT() {
    super(Databases.h2());
  }
}
