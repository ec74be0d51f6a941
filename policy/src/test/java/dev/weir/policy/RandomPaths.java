package dev.weir.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Makes patterns and paths at random, of few different segments so that many match. */
final class RandomPaths {
  private static final String[] LITERALS = {"a", "b", "c", "ab", "é"};

  private RandomPaths() {}

  static PathPattern pattern(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    boolean afterAny = false;
    for (int segments = random.nextInt(6); segments > 0; segments--) {
      int kind = random.nextInt(8);
      if (kind < 2 && !afterAny) {
        text.append("/**");
        afterAny = true;
      } else {
        text.append('/').append(kind == 2 ? "*" : kind == 3 ? "{id}" : literal(random));
        afterAny = false;
      }
    }
    return PathPattern.parse(text.isEmpty() ? "/" : text.toString());
  }

  static String path(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    for (int segments = random.nextInt(6); segments > 0; segments--) {
      text.append('/').append(literal(random));
    }
    return text.isEmpty() ? "/" : text.toString();
  }

  private static String literal(SplittableRandom random) {
    return LITERALS[Math.min(random.nextInt(LITERALS.length), random.nextInt(LITERALS.length))];
  }

  /** The segments of a path. */
  static List<String> cut(String path) {
    List<String> segments = new ArrayList<>();
    for (String segment : path.substring(1).split("/", -1)) {
      if (!segment.isEmpty()) {
        segments.add(segment);
      }
    }
    return segments;
  }

  /** What a pattern means, with no thought for its cost. */
  static boolean matchesPlainly(List<String> pattern, List<String> path) {
    if (pattern.isEmpty()) {
      return path.isEmpty();
    }
    List<String> rest = pattern.subList(1, pattern.size());
    if (pattern.get(0).equals("**")) {
      return matchesPlainly(rest, path)
          || (!path.isEmpty() && matchesPlainly(pattern, path.subList(1, path.size())));
    }
    return !path.isEmpty()
        && (pattern.get(0).equals("*") || pattern.get(0).equals(path.get(0)))
        && matchesPlainly(rest, path.subList(1, path.size()));
  }
}
