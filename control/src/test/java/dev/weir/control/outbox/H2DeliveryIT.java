package dev.weir.control.outbox;

class H2DeliveryIT extends DeliveryContract {
  H2DeliveryIT() {
    super(Databases.h2());
  }
}
