package dev.weir.control.usage;

/**
 * What one user or key has used on one day, since that was last told.
 *
 * @param kind whether it is a user or a key
 * @param id which one
 * @param day the day in UTC, in days since the epoch
 * @param requests the cost of what was allowed
 * @param exceeded how many requests the monthly quota has refused
 * @param lastMicros when the last request was, in microseconds since the epoch
 */
record UsageDelta(Kind kind, String id, long day, long requests, long exceeded, long lastMicros) {

  /** Who uses something. */
  enum Kind {
    USER('u'),
    KEY('k');

    /** How it is written down. */
    final char code;

    Kind(char code) {
      this.code = code;
    }

    static Kind of(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      throw new IllegalArgumentException("usage record must be of a user or key, got " + code);
    }
  }

  /** Both together; they are of the same user or key, on the same day. */
  UsageDelta plus(UsageDelta other) {
    return new UsageDelta(
        kind,
        id,
        day,
        requests + other.requests,
        exceeded + other.exceeded,
        Math.max(lastMicros, other.lastMicros));
  }
}
