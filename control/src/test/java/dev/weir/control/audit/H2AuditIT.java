package dev.weir.control.audit;

import dev.weir.control.testing.Databases;

class H2AuditIT extends AuditContract {
  H2AuditIT() {
    super(Databases.h2());
  }
}
