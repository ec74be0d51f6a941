package dev.weir.control.outbox;

import java.util.UUID;

/**
 * The records that one start of the service appended to a journal.
 *
 * @param name by which the database knows how many of them it has
 * @param start the last sequence before them
 * @param end the last sequence that may be one of them
 */
record Epoch(UUID name, long start, long end) {

  /** Whether the database has all of them once it has that one. */
  boolean isDoneAt(long sequence) {
    return sequence >= end;
  }
}
