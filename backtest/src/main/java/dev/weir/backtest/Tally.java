package dev.weir.backtest;

/**
 * How many requests of each outcome there are.
 *
 * @param allowed how many passed
 * @param throttled how many were refused by a limit or a penalty
 * @param blocked how many were refused whatever the limits say
 */
public record Tally(long allowed, long throttled, long blocked) {

  /** How many there are. */
  public long requests() {
    return allowed + throttled + blocked;
  }

  /** How many did not pass. */
  public long refused() {
    return throttled + blocked;
  }
}
