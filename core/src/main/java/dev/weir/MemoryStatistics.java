package dev.weir;

/**
 * How full a store in memory is.
 *
 * @param liveKeys keys that have a counter of their own, once for each counter name; some may have
 *     recovered and not been dropped yet
 * @param dropped counters that were dropped after they had recovered, since the start
 * @param overflowed operations that used the shared overflow counter, since the start
 */
public record MemoryStatistics(long liveKeys, long dropped, long overflowed) {
  MemoryStatistics plus(MemoryStatistics other) {
    return new MemoryStatistics(
        liveKeys + other.liveKeys, dropped + other.dropped, overflowed + other.overflowed);
  }
}
