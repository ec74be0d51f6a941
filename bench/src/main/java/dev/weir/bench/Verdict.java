package dev.weir.bench;

import java.util.Locale;

/** One target and whether it was met. */
record Verdict(String what, String measured, String target, boolean met) {

  static Verdict atMost(String what, Figure measured, double target) {
    return new Verdict(
        what, measured.show(2), "at most " + shortest(target), measured.median() <= target);
  }

  static Verdict atLeast(String what, Figure measured, double target) {
    return new Verdict(
        what, measured.show(2), "at least " + shortest(target), measured.median() >= target);
  }

  static Verdict below(String what, Figure measured, double target) {
    return new Verdict(
        what, measured.show(2), "below " + shortest(target), measured.median() < target);
  }

  private static String shortest(double number) {
    return number == Math.rint(number)
        ? String.format(Locale.ROOT, "%.0f", number)
        : Double.toString(number);
  }
}
