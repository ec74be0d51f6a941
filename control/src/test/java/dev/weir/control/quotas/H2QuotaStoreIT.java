package dev.weir.control.quotas;

import dev.weir.control.testing.Databases;

class H2QuotaStoreIT extends QuotaStoreContract {
  H2QuotaStoreIT() {
    super(Databases.h2());
  }
}
