package dev.weir.http;

import dev.weir.LimitStatus;
import dev.weir.policy.Verdict;
import java.util.ArrayList;
import java.util.List;

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
    List<Verdict.Standing> standings = verdict.standings();
    List<NamedLimit> limits = new ArrayList<>(standings.size());
    for (Verdict.Standing standing : standings) {
      limits.add(
          new NamedLimit(
              uniqueName(standing.rule(), standings.subList(0, limits.size())),
              standing.status(),
              // Counters of one decision have different names.
              standing.status().name().equals(decisive.name())));
    }
    return limits;
  }

  private static String uniqueName(String rule, List<Verdict.Standing> before) {
    String name = withoutKind(rule);
    int number = 1;
    for (Verdict.Standing other : before) {
      number += withoutKind(other.rule()).equals(name) ? 1 : 0;
    }
    return number == 1 ? name : name + "#" + number;
  }

  private static String withoutKind(String rule) {
    return rule.startsWith(ENDPOINT) ? rule.substring(ENDPOINT.length()) : rule;
  }
}
