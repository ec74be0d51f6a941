package dev.weir.cli;

import dev.weir.MemoryCounterStore;
import dev.weir.http.ExplainAnswer;
import dev.weir.policy.Explanation;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.config.Config;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code weir explain}: says which rules hold for a request, which do not, and why. */
@Command(
    name = "explain",
    sortOptions = false,
    description = {
      "Say which rules hold for a request, which do not, and why. Consumes nothing.",
      "With --url the rules are those of a server."
    },
    footer = {
      "",
      "Exits with 1 if the request would be refused. For example:",
      "  weir explain --path /api/v1/rag/chat --user alice",
      "  weir explain --path /api/v1/rag/chat --user alice --url http://127.0.0.1:8080"
    })
final class ExplainCommand implements Callable<Integer> {
  private static final AdminPath EXPLAIN = new AdminPath("/v1/explain");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private RequestOptions options = new RequestOptions();

  @Option(names = "--all", description = "Also the rules that have nothing to do with the request.")
  private boolean isComplete;

  @Mixin private ServerOption server = new ServerOption();

  private final Shell shell;

  ExplainCommand(Shell shell) {
    this.shell = shell;
  }

  /** An explanation, and, if it is to be printed, its JSON. */
  private record Reply(Explained explained, String json) {}

  @Override
  public Integer call() {
    AdminClient client = server.client(spec, shell);
    long repetitions = options.repetitions();
    Supplier<Reply> replies = client == null ? here() : there(client);
    boolean isAllowed = true;
    for (long i = 1; i <= repetitions; i++) {
      Reply reply = replies.get();
      isAllowed &= reply.explained.decided().isAllowed();
      if (options.isJson()) {
        shell.data().println(reply.json);
      } else {
        if (i > 1) {
          shell.out().println();
        }
        reply.explained.lines(isComplete).forEach(shell.out()::println);
      }
    }
    return isAllowed ? 0 : 1;
  }

  private Supplier<Reply> here() {
    Config config = options.config(shell.environment());
    Gate gate = new Gate(Policy.compile(config.policy()), new MemoryCounterStore());
    Request request = options.request(config);
    return () -> {
      Explanation explanation = gate.explain(request);
      return new Reply(
          Explained.of(explanation),
          options.isJson() ? ExplainAnswer.json(explanation, config.response()) : "");
    };
  }

  private Supplier<Reply> there(AdminClient client) {
    AdminCall call = AdminCall.post(EXPLAIN, options.json(spec));
    return () -> {
      AdminAnswer answer = client.ask(call);
      return new Reply(
          Explained.of(answer, options.method() + " " + options.path(), options.cost()),
          answer.text().strip());
    };
  }
}
