package dev.weir.server;

/** Who may have something. */
enum Access {
  /** Everybody. */
  OPEN,
  /** Who has the metrics token, if there is one. */
  METRICS,
  /** Who has the check or the admin token, if there is a check token. */
  CHECK,
  /** Who has the check or the admin token, if there is either; else programs on this machine. */
  CALLER,
  /** Who has the admin token, if there is one; else programs on this machine. */
  ADMIN
}
