package dev.weir.backtest.suggest;

/**
 * A part of a whole.
 *
 * @param part from 0 to the whole
 * @param whole at least 0
 */
public record Share(long part, long whole) {
  public Share {
    if (part < 0 || part > whole) {
      throw new IllegalArgumentException(
          "part must be between 0 and %d, got %d".formatted(whole, part));
    }
  }

  /** In per cent, to look at; nothing is decided by it. */
  public double percent() {
    return whole == 0 ? 0 : 100.0 * part / whole;
  }
}
