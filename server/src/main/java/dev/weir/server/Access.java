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
  /** As {@link #CALLER}, and who has the read token: it changes nothing. */
  ASKER,
  /** Who has the admin or the read token, if there are any; else programs on this machine. */
  READER,
  /** Who has the admin token, if there is one; else programs on this machine. */
  ADMIN;

  /** Whether people may have it through a browser, which shows a session in place of a token. */
  boolean takesSessions() {
    return compareTo(CALLER) >= 0;
  }
}
