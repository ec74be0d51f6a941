package dev.weir.redis;

import dev.weir.Operation;

/** What {@code apply.lua} can do with counters, and the code it knows it by. */
enum Verb {
  ACQUIRE(1),
  PEEK(2),
  REFUND(3),
  RESET(4),
  /** Records a violation; the cost is the length of a window in microseconds. */
  VIOLATE(5),
  /** Acquires what lives on one server while the rest of the operation lives elsewhere. */
  PART(6),
  /** As {@link #PART}, and consumes nothing. */
  PEEK_PART(7),
  /** As {@link #PART}, also where that cannot be undone without a trace. */
  PART_SURE(8);

  final int code;

  Verb(int code) {
    this.code = code;
  }

  /** Whether it consumes something if it is granted. */
  boolean charges() {
    return this == ACQUIRE || this == PART || this == PART_SURE;
  }

  static Verb of(Operation operation) {
    if (operation instanceof Operation.Acquire acquire) {
      return acquire.cost() == 0 ? PEEK : ACQUIRE;
    }
    if (operation instanceof Operation.Peek) {
      return PEEK;
    }
    return operation instanceof Operation.Refund ? REFUND : RESET;
  }

  /** What an operation consumes or gives back. */
  static long costOf(Operation operation) {
    if (operation instanceof Operation.Acquire acquire) {
      return acquire.cost();
    }
    if (operation instanceof Operation.Peek peek) {
      return peek.cost();
    }
    return operation instanceof Operation.Refund refund ? refund.cost() : 0;
  }
}
