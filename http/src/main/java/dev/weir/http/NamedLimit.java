package dev.weir.http;

import dev.weir.LimitStatus;
import dev.weir.policy.Verdict;
import java.util.ArrayList;
import java.util.List;

/**
 * A limit of a verdict under the name that clients know it by: the rule's, an endpoint's without
 * {@code endpoint:}, and with {@code #2}, {@code #3} … for further limits of that name.
 *
 * @param texts what is always said of it
 * @param status how the limit stands
 * @param isDecisive whether it is the one that decided
 */
record NamedLimit(LimitTexts texts, LimitStatus status, boolean isDecisive) {

  static List<NamedLimit> of(Verdict verdict) {
    LimitStatus decisive = verdict.decisive();
    if (decisive == null) {
      return List.of();
    }
    List<Verdict.Standing> standings = verdict.standings();
    if (standings.size() == 1) {
      return List.of(new NamedLimit(LimitTexts.of(standings.get(0), 1), decisive, true));
    }
    List<NamedLimit> limits = new ArrayList<>(standings.size());
    for (Verdict.Standing standing : standings) {
      int number = numberOf(standing.rule(), standings.subList(0, limits.size()));
      limits.add(
          new NamedLimit(
              LimitTexts.of(standing, number),
              standing.status(),
              // Counters of one decision have different names.
              standing.status().name().equals(decisive.name())));
    }
    return limits;
  }

  /** Which it is among those of its name. */
  private static int numberOf(String rule, List<Verdict.Standing> before) {
    String name = LimitTexts.withoutKind(rule);
    int number = 1;
    for (Verdict.Standing other : before) {
      number += LimitTexts.withoutKind(other.rule()).equals(name) ? 1 : 0;
    }
    return number;
  }

  /** Unique in its verdict. */
  String name() {
    return texts.name();
  }
}
