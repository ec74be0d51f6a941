package dev.weir.cli;

import dev.weir.MemoryCounterStore;
import dev.weir.http.ExplainAnswer;
import dev.weir.policy.Explanation;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.Config;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code weir explain}: says which rules hold for a request, which do not, and why. */
@Command(
    name = "explain",
    sortOptions = false,
    description = "Say which rules hold for a request, which do not, and why. Consumes nothing.",
    footer = {"", "For example: weir explain --path /api/v1/rag/chat --user alice"})
final class ExplainCommand implements Callable<Integer> {
  @Mixin private RequestOptions options = new RequestOptions();

  @Option(names = "--all", description = "Also the rules that have nothing to do with the request.")
  private boolean isComplete;

  private final Map<String, String> environment;
  private final PrintWriter out;

  ExplainCommand(Map<String, String> environment, PrintWriter out) {
    this.environment = environment;
    this.out = out;
  }

  @Override
  public Integer call() {
    Config config = options.config(environment);
    Gate gate = new Gate(Policy.compile(config.policy()), new MemoryCounterStore());
    Request request = options.request(config);
    long repetitions = options.repetitions();
    boolean isAllowed = true;
    for (long i = 1; i <= repetitions; i++) {
      Explanation explanation = gate.explain(request);
      isAllowed &= explanation.verdict().isAllowed();
      if (options.isJson()) {
        out.println(ExplainAnswer.json(explanation, config.response()));
      } else {
        if (i > 1) {
          out.println();
        }
        print(explanation);
      }
    }
    return isAllowed ? 0 : 1;
  }

  private void print(Explanation explanation) {
    Verdict verdict = explanation.verdict();
    out.println(
        verdict.request().method()
            + " "
            + verdict.request().path()
            + " by "
            + verdict.request().client().id()
            + (verdict.tier() == null ? "" : ", tier " + verdict.tier())
            + ", endpoint "
            + verdict.endpoint());
    out.println();
    explanation.lines().forEach(this::print);
    out.println();
    out.println(Conclusion.of(verdict));
  }

  private void print(Explanation.Line line) {
    String mark =
        switch (line.effect()) {
          case APPLIES -> "holds     ";
          case SHADOW -> "shadow    ";
          case NO_MATCH -> "no match  ";
          case NOT_REACHED -> "not asked ";
        };
    if (isComplete || line.effect() != Explanation.Effect.NO_MATCH || isNear(line)) {
      out.println("  " + mark + " " + line.rule() + ": " + line.detail());
    }
  }

  /** Whether a rule that does not match could be thought to: its path or endpoint does. */
  private static boolean isNear(Explanation.Line line) {
    return !line.detail().startsWith("path") && !line.detail().startsWith("endpoint");
  }
}
