package dev.weir.conformance;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes one case through its steps, up to the first that goes wrong. */
final class CaseRun {
  /** On the real clock nobody waits longer. */
  static final long LONGEST_WAIT_SECONDS = 5;

  private static final int POLL_MILLIS = 50;
  private static final long ROOM_SECONDS = 5;
  private static final long RELOAD_ROOM_SECONDS = 20;

  private final Case of;
  private final Run run;
  private final Connection connection;
  private final ConfigFolder folder;
  private final Clock clock;
  private final String headerPrefix;

  CaseRun(Case of, Run run, Connection connection, ConfigFolder folder) {
    this.of = of;
    this.run = run;
    this.connection = connection;
    this.folder = folder;
    clock = run.clock;
    headerPrefix = of.settings().contains(Case.HEADER_NAMES) ? "X-Conformance-" : "RateLimit-";
  }

  /** What went wrong, or null. */
  @Nullable String failure() {
    long start = start();
    for (int i = 0; i < of.steps().size(); i++) {
      Step step = of.steps().get(i);
      clock.advanceTo(start + step.at());
      List<String> problems = problems(step);
      if (!problems.isEmpty()) {
        return "step %d (at %d s): %s".formatted(i + 1, step.at(), String.join("\n  ", problems))
            + "\nwhy: "
            + of.why();
      }
    }
    return null;
  }

  /** When the case starts; returns then. */
  private long start() {
    long start = clock.isReal() ? realStart() : alignedStart();
    clock.advanceTo(start);
    return start;
  }

  /** The next moment at which the windows of all limits start. */
  private long alignedStart() {
    return (clock.nowSeconds() / of.alignSeconds() + 1) * of.alignSeconds();
  }

  /** A moment with enough room left in its minute: every longer window starts with a minute. */
  private long realStart() {
    long next = clock.nowSeconds() + (of.countsSeconds() ? 1 : 0);
    long room = of.seconds() + (of.reloads() ? RELOAD_ROOM_SECONDS : ROOM_SECONDS);
    return next % 60 + room > 60 ? (next / 60 + 1) * 60 : next;
  }

  private List<String> problems(Step step) {
    if (step instanceof Step.Ask ask) {
      return ask(ask);
    }
    if (step instanceof Step.Reload reload) {
      Optional<String> problem = folder.change(of, reload);
      return problem.map(text -> List.of("reload", text)).orElse(List.of());
    }
    if (step instanceof Step.CheckHealth health) {
      String got = connection.health(health.service());
      return got.equals(health.status())
          ? List.of()
          : List.of("health", "expected %s, got %s".formatted(health.status(), got));
    }
    return stats(((Step.CheckStats) step).rules());
  }

  private List<String> ask(Step.Ask ask) {
    RateLimitRequest request = Messages.request(ask);
    for (int i = 0; i < ask.times(); i++) {
      long before = clock.nowSeconds();
      Reply reply = connection.ask(request);
      Reset reset = clock.isReal() ? Reset.between(before, clock.nowSeconds()) : Reset.exact();
      List<String> differences =
          new Comparison(reset, headerPrefix).compare(ask.expected(), reply, i, ask.times());
      if (!differences.isEmpty()) {
        List<String> problems = new ArrayList<>();
        problems.add(title(ask, i));
        problems.addAll(differences);
        return problems;
      }
    }
    return List.of();
  }

  private static String title(Step.Ask ask, int repetition) {
    String which = ask.times() == 1 ? "" : ", time %d of %d".formatted(repetition + 1, ask.times());
    String hits = ask.hits() == 0 ? "" : ", hits " + ask.hits();
    return "domain %s, descriptors %s%s%s".formatted(ask.domain(), ask.descriptors(), hits, which);
  }

  /** Asks again for a while: some servers publish their counters now and then only. */
  private List<String> stats(Map<String, Map<String, Long>> rules) {
    long end = System.nanoTime() + run.patience.toNanos();
    List<String> problems = statsNow(rules);
    while (!problems.isEmpty() && System.nanoTime() - end < 0) {
      Pause.millis(POLL_MILLIS);
      problems = statsNow(rules);
    }
    return problems;
  }

  private List<String> statsNow(Map<String, Map<String, Long>> rules) {
    Map<String, Long> got = run.stats == null ? Map.of() : run.stats.counters();
    List<String> problems = new ArrayList<>();
    rules.forEach(
        (rule, counters) ->
            counters.forEach(
                (name, expected) -> {
                  long value = got.getOrDefault(rule + "." + name, 0L);
                  if (value != expected) {
                    problems.add(
                        "%s.%s  expected %d, got %d".formatted(rule, name, expected, value));
                  }
                }));
    if (!problems.isEmpty()) {
      problems.add(0, "counters");
    }
    return problems;
  }
}
