package dev.weir.policy.config;

import java.util.Collection;

/** Finds what somebody meant who misspelt a name. */
final class Suggestion {
  private Suggestion() {}

  /** {@code "; did you mean x"} for the nearest candidate, or nothing if none is near. */
  static String of(String word, Collection<String> candidates) {
    String best = "";
    int least = 1 + Math.max(1, word.length() / 3);
    for (String candidate : candidates) {
      int distance = distance(word, candidate);
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return best.isEmpty() ? "" : "; did you mean " + best;
  }

  /** Letters to insert, drop, change or swap with their neighbour to get from one to the other. */
  private static int distance(String a, String b) {
    int[][] steps = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        steps[i][j] = i == 0 || j == 0 ? i + j : fewest(steps, a, b, i, j);
      }
    }
    return steps[a.length()][b.length()];
  }

  private static int fewest(int[][] steps, String a, String b, int i, int j) {
    int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
    int fewest =
        Math.min(steps[i - 1][j - 1] + change, 1 + Math.min(steps[i - 1][j], steps[i][j - 1]));
    boolean isSwap =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return isSwap ? Math.min(fewest, steps[i - 2][j - 2] + 1) : fewest;
  }
}
