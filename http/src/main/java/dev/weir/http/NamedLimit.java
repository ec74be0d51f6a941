package dev.weir.http;

import dev.weir.LimitStatus;
import dev.weir.policy.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A limit of a verdict under the name that clients know it by: the rule's, an endpoint's without
 * {@code endpoint:}, and with {@code #2}, {@code #3} … for further limits of that name.
 *
 * @param name the name, unique in its verdict
 * @param status how the limit stands
 * @param isDecisive whether it is the one that decided
 */
record NamedLimit(String name, LimitStatus status, boolean isDecisive) {
  private static final String ENDPOINT = "endpoint:";

  static List<NamedLimit> of(Verdict verdict) {
    LimitStatus decisive = verdict.decisive();
    if (decisive == null) {
      return List.of();
    }
    List<NamedLimit> limits = new ArrayList<>();
    Map<String, Integer> seen = new HashMap<>();
    for (Verdict.Standing standing : verdict.standings()) {
      String name = withoutKind(standing.rule());
      int number = seen.merge(name, 1, Integer::sum);
      limits.add(
          new NamedLimit(
              number == 1 ? name : name + "#" + number,
              standing.status(),
              // Counters of one decision have different names.
              standing.status().name().equals(decisive.name())));
    }
    return limits;
  }

  private static String withoutKind(String rule) {
    return rule.startsWith(ENDPOINT) ? rule.substring(ENDPOINT.length()) : rule;
  }
}
