package dev.weir.cli;

import dev.weir.MemoryCounterStore;
import dev.weir.http.CheckAnswer;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.Config;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir check}: decides a request by a policy, on counters of its own, or has it decided. */
@Command(
    name = "check",
    sortOptions = false,
    description = {
      "Decide a request by a policy, on counters that start empty.",
      "With --url a server decides it, by its policy and on its counters."
    },
    footer = {
      "",
      "Exits with 1 if a request was refused. For example:",
      "  weir check --path /api/v1/rag/chat --user alice --repeat 11",
      "  weir check --path /api/v1/rag/chat --user alice --url http://127.0.0.1:8080"
    })
final class CheckCommand implements Callable<Integer> {
  private static final AdminPath CHECK = new AdminPath("/v1/check");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private RequestOptions options = new RequestOptions();

  @Mixin private ServerOption server = new ServerOption();

  private final Shell shell;

  CheckCommand(Shell shell) {
    this.shell = shell;
  }

  /** A decision, and, if it is to be printed, its JSON. */
  private record Reply(Decided decided, String json) {}

  @Override
  public Integer call() {
    AdminClient client = server.client(spec, shell);
    long repetitions = options.repetitions();
    Supplier<Reply> replies = client == null ? here() : there(client);
    boolean isAllowed = true;
    for (long i = 1; i <= repetitions; i++) {
      Reply reply = replies.get();
      isAllowed &= reply.decided.isAllowed();
      if (options.isJson()) {
        shell.data().println(reply.json);
      } else {
        shell.out().println(line(i, repetitions, reply.decided));
      }
    }
    return isAllowed ? 0 : 1;
  }

  private Supplier<Reply> here() {
    Config config = options.config(shell.environment());
    Request request = options.request(config);
    Gate gate = new Gate(Policy.compile(config.policy()), new MemoryCounterStore());
    return () -> {
      Verdict verdict = gate.check(request);
      return new Reply(
          Decided.of(verdict),
          options.isJson() ? CheckAnswer.json(verdict, config.response()) : "");
    };
  }

  private Supplier<Reply> there(AdminClient client) {
    AdminCall call = AdminCall.post(CHECK, options.json(spec));
    return () -> {
      AdminAnswer answer = client.ask(call);
      return new Reply(Decided.of(answer), answer.text().strip());
    };
  }

  private static String line(long number, long repetitions, Decided decided) {
    String start =
        repetitions == 1
            ? ""
            : ("%" + Long.toString(repetitions).length() + "d  ").formatted(number);
    return start + "%-9s  ".formatted(decided.outcome()) + detail(decided) + more(decided);
  }

  private static String more(Decided decided) {
    return (decided.isDegraded() ? "; degraded: the counters cannot be reached" : "")
        + (decided.shadows().isEmpty()
            ? ""
            : "; shadow: " + String.join(" and ", decided.shadows()) + " would refuse");
  }

  private static String detail(Decided decided) {
    String rule = decided.rule();
    if (decided.room() == null) {
      return rule.isEmpty() ? decided.reason() : rule + ": " + decided.reason();
    }
    String left = (rule.isEmpty() ? decided.reason() : rule) + ": " + decided.room();
    if (decided.isAllowed()) {
      return left;
    }
    return decided.retryAfterSeconds() > 0
        ? left + ", " + decided.reason() + ", retry in " + decided.retryAfterSeconds() + " s"
        : left + ", " + decided.reason() + ", waiting does not help";
  }
}
