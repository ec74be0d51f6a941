package dev.weir.control.quotas;

import dev.weir.control.rows.EmptyDatabases;

class H2QuotaStoreIT extends QuotaStoreContract {
  H2QuotaStoreIT() {
    super(EmptyDatabases.embedded());
  }
}
