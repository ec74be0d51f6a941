package dev.weir.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What was measured in each round. The middle of the rounds stands for all of them, the least and
 * the largest show the spread.
 */
record Figure(List<Double> rounds) {

  Figure {
    rounds = List.copyOf(rounds);
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("rounds must not be empty");
    }
  }

  double median() {
    List<Double> sorted = rounds.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  double min() {
    return rounds.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
  }

  double max() {
    return rounds.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  /** How many times the other this is, round by round: each pair ran within minutes. */
  Figure ratioTo(Figure other) {
    List<Double> ratios = new ArrayList<>();
    for (int i = 0; i < Math.min(rounds.size(), other.rounds.size()); i++) {
      ratios.add(rounds.get(i) / other.rounds.get(i));
    }
    return new Figure(ratios);
  }

  /** How much more than the other this is, round by round. */
  Figure minus(Figure other) {
    List<Double> differences = new ArrayList<>();
    for (int i = 0; i < Math.min(rounds.size(), other.rounds.size()); i++) {
      differences.add(rounds.get(i) - other.rounds.get(i));
    }
    return new Figure(differences);
  }

  /** {@code middle (least..largest)}, each with that many decimals. */
  String show(int decimals) {
    String number = "%." + decimals + "f";
    return String.format(
        Locale.ROOT, number + " (" + number + ".." + number + ")", median(), min(), max());
  }
}
