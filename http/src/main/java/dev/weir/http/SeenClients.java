package dev.weir.http;

import dev.weir.policy.Client;
import org.jspecify.annotations.Nullable;

/**
 * Clients by what a proxy wrote of them: who comes again need not be read and named again.
 *
 * <p>Each text has one place. A text that finds another one there gets the place when it comes
 * twice in a row: of a hundred thousand clients that take turns none would be found again, and all
 * would be kept for a while for nothing. Thread-safe.
 */
final class SeenClients {
  /** Longer texts are not kept. */
  static final int LONGEST = 64;

  private static final int PLACES = 1 << 13;

  // Plain, both: who sees an older one reads the text anew, and a record is seen whole or not at
  // all.
  private final @Nullable Seen[] places = new Seen[PLACES];

  /**
   * Of each place the hash of the text that is there, above that of the one which asked for it
   * last: most that are not there are told by it, without a look at what is.
   */
  private final long[] hashes = new long[PLACES];

  private record Seen(String text, Client client) {}

  /** The client that the text stood for; null if it was not seen, or too long ago. */
  @Nullable Client find(String text) {
    int hash = text.hashCode();
    int place = place(hash);
    Seen seen = (int) (hashes[place] >>> Integer.SIZE) == hash ? places[place] : null;
    return seen != null && seen.text.equals(text) ? seen.client : null;
  }

  /** That text, which was not found, stands for that client. */
  void saw(String text, Client client) {
    int hash = text.hashCode();
    int place = place(hash);
    long before = hashes[place];
    int there = (int) (before >>> Integer.SIZE);
    if (text.length() <= LONGEST && (before == 0 || (int) before == hash)) {
      places[place] = new Seen(text, client);
      there = hash;
    }
    hashes[place] = ((long) there << Integer.SIZE) | Integer.toUnsignedLong(hash);
  }

  private static int place(int hash) {
    return (hash ^ hash >>> 16) & (PLACES - 1);
  }
}
