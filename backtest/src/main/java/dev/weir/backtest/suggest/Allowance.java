package dev.weir.backtest.suggest;

import java.math.BigDecimal;

/**
 * What share of requests, or of clients, a limit may refuse to be suggested.
 *
 * @param perMillion from 0 to a million
 */
public record Allowance(long perMillion) {
  /** One in a thousand. */
  public static final Allowance USUAL = new Allowance(1_000);

  private static final long ALL = 1_000_000;
  private static final int DECIMALS = 4;

  public Allowance {
    if (perMillion < 0 || perMillion > ALL) {
      throw new IllegalArgumentException(
          "perMillion must be between 0 and %d, got %d".formatted(ALL, perMillion));
    }
  }

  /**
   * Reads a percentage, for example {@code 0.1}.
   *
   * @throws IllegalArgumentException saying what was expected
   */
  public static Allowance parse(String percentage) {
    if (isPlain(percentage)) {
      BigDecimal perMillion = new BigDecimal(percentage).movePointRight(DECIMALS);
      if (perMillion.compareTo(BigDecimal.valueOf(ALL)) <= 0) {
        return new Allowance(perMillion.longValueExact());
      }
    }
    throw new IllegalArgumentException(
        "must be a percentage from 0 to 100 with at most 4 decimals, for example 0.1, got \"%s\""
            .formatted(percentage));
  }

  /** Digits, and perhaps a point with some before and at most four behind it. */
  private static boolean isPlain(String text) {
    int point = text.indexOf('.');
    String whole = point < 0 ? text : text.substring(0, point);
    String rest = point < 0 ? "0" : text.substring(point + 1);
    return isDigits(whole, 3) && isDigits(rest, DECIMALS);
  }

  private static boolean isDigits(String text, int most) {
    return !text.isEmpty()
        && text.length() <= most
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  boolean permits(Share share) {
    return share.part() * ALL <= perMillion * share.whole();
  }

  /** In per cent, for example {@code 0.1}. */
  @Override
  public String toString() {
    return BigDecimal.valueOf(perMillion, DECIMALS).stripTrailingZeros().toPlainString();
  }
}
