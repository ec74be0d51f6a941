package dev.weir.backtest.suggest;

/**
 * About how many words of memory the counters of a sample take. The longest sliding logs keep what
 * they let pass for an hour, so what passed in this hour of the clock and the one before bounds
 * them; the shorter ones are counted with them.
 */
final class Load {
  private static final long WORDS_OF_COUNTER = 8;
  private static final long WORDS_OF_ENTRY = 4;
  private static final long HOUR_MICROS = 3_600_000_000L;

  private long counters;
  private long hour;
  private long entries;
  private long entriesBefore;

  void addCounters(long opened) {
    counters += opened;
  }

  void setCounters(long inUse) {
    counters = inUse;
  }

  void addEntries(long atMicros, long passed) {
    turnTo(atMicros / HOUR_MICROS);
    entries += passed;
  }

  private void turnTo(long next) {
    if (next > hour) {
      entriesBefore = next == hour + 1 ? entries : 0;
      entries = 0;
      hour = next;
    }
  }

  void halve() {
    counters /= 2;
    entries /= 2;
    entriesBefore /= 2;
  }

  long words() {
    return WORDS_OF_COUNTER * counters + WORDS_OF_ENTRY * (entries + entriesBefore);
  }
}
