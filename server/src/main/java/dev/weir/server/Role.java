package dev.weir.server;

import java.util.Locale;

/** What somebody who has shown a token may do. */
enum Role {
  /** Everything. */
  ADMIN,
  /** Look at everything, and change nothing. */
  READER;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
