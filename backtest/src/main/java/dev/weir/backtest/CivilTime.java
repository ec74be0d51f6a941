package dev.weir.backtest;

/** Dates and times as microseconds since the epoch, without objects. */
final class CivilTime {
  static final long SECOND = 1_000_000;

  private static final int[] MONTH_DAYS = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  private static final int DAYS_OF_400_YEARS = 146_097;

  private CivilTime() {}

  /**
   * The instant.
   *
   * @param offsetSeconds how far the zone is ahead of UTC
   * @return -1 if there is no such time, or it is out of bounds
   */
  static long micros(
      int year, int month, int day, int hour, int minute, int second, int offsetSeconds) {
    boolean isDate =
        year >= 1970
            && year < 2400
            && month >= 1
            && month <= 12
            && day >= 1
            && day <= MONTH_DAYS[month - 1]
            && (month != 2 || day < 29 || isLeap(year));
    // The 61st second is a leap second; the clock of a log may say so.
    boolean isTime = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0;
    if (!isDate || !isTime || second > 60) {
      return -1;
    }
    long seconds =
        days(year, month, day) * 86_400L + hour * 3_600L + minute * 60L + second - offsetSeconds;
    return seconds < 0 ? -1 : seconds * SECOND;
  }

  private static boolean isLeap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  }

  /** Days since 1970; years begin in March, so that the leap day is the last. */
  private static long days(int year, int month, int day) {
    int shifted = month > 2 ? year : year - 1;
    int monthOfYear = month > 2 ? month - 3 : month + 9;
    long era = shifted / 400;
    int yearOfEra = shifted % 400;
    int dayOfYear = (153 * monthOfYear + 2) / 5 + day - 1;
    int dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * DAYS_OF_400_YEARS + dayOfEra - 719_468;
  }
}
