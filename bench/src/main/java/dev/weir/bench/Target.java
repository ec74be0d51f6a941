package dev.weir.bench;

import java.util.Locale;

/** One target and whether it was met. */
record Target(String what, String measured, String wanted, boolean met) {

  static Target atMost(String what, Figure measured, double wanted) {
    return new Target(
        what, measured.show(2), "at most " + shortest(wanted), measured.median() <= wanted);
  }

  static Target atLeast(String what, Figure measured, double wanted) {
    return new Target(
        what, measured.show(2), "at least " + shortest(wanted), measured.median() >= wanted);
  }

  static Target below(String what, Figure measured, double wanted) {
    return new Target(
        what, measured.show(2), "below " + shortest(wanted), measured.median() < wanted);
  }

  private static String shortest(double number) {
    return number == Math.rint(number)
        ? String.format(Locale.ROOT, "%.0f", number)
        : Double.toString(number);
  }
}
