package dev.weir.cli;

import dev.weir.LimitStatus;
import dev.weir.MemoryCounterStore;
import dev.weir.http.CheckAnswer;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.Config;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code weir check}: decides a request by a policy, on counters of its own. */
@Command(
    name = "check",
    sortOptions = false,
    description = "Decide a request by a policy, on counters that start empty.",
    footer = {
      "",
      "Exits with 1 if a request was refused. For example:",
      "  weir check --path /api/v1/rag/chat --user alice --repeat 11"
    })
final class CheckCommand implements Callable<Integer> {
  @Mixin private RequestOptions options = new RequestOptions();

  private final Map<String, String> environment;
  private final PrintWriter out;

  CheckCommand(Map<String, String> environment, PrintWriter out) {
    this.environment = environment;
    this.out = out;
  }

  @Override
  public Integer call() {
    long repetitions = options.repetitions();
    Config config = options.config(environment);
    Request request = options.request(config);
    Gate gate = new Gate(Policy.compile(config.policy()), new MemoryCounterStore());
    int refused = 0;
    for (long i = 1; i <= repetitions; i++) {
      Verdict verdict = gate.check(request);
      refused += verdict.isAllowed() ? 0 : 1;
      out.println(
          options.isJson()
              ? CheckAnswer.json(verdict, config.response())
              : line(i, repetitions, verdict));
    }
    return refused == 0 ? 0 : 1;
  }

  private static String line(long number, long repetitions, Verdict verdict) {
    String start =
        repetitions == 1
            ? ""
            : ("%" + Long.toString(repetitions).length() + "d  ").formatted(number);
    return start + "%-9s  ".formatted(verdict.outcome()) + detail(verdict) + shadows(verdict);
  }

  private static String shadows(Verdict verdict) {
    List<String> refusing = verdict.refusingShadows();
    return refusing.isEmpty()
        ? ""
        : "; shadow: " + String.join(" and ", refusing) + " would refuse";
  }

  private static String detail(Verdict verdict) {
    LimitStatus status = verdict.decisive();
    String rule = verdict.rule() == null ? verdict.cause().toString() : verdict.rule();
    if (status == null) {
      return rule + (verdict.rule() == null ? "" : ": " + verdict.cause());
    }
    String left =
        "%s: %d of %d left".formatted(rule, status.remaining(), status.limit().capacity());
    if (verdict.isAllowed()) {
      return left;
    }
    return verdict.retryAfterSeconds() > 0
        ? left + ", " + verdict.cause() + ", retry in " + verdict.retryAfterSeconds() + " s"
        : left + ", " + verdict.cause() + ", waiting does not help";
  }
}
