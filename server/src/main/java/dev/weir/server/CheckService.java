package dev.weir.server;

import dev.weir.http.CheckAnswer;
import dev.weir.http.ExplainAnswer;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.JsonText;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.server.CheckReader.Check;
import dev.weir.server.CheckReader.Refund;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests that are described in JSON: {@code /v1/check} and its relatives. The caller is
 * trusted about who asks for what; API keys are verified.
 */
final class CheckService {
  /** The most requests in one call of {@code /v1/checks}. */
  static final int MOST_CHECKS = 100;

  private final Gate gate;
  private final Supplier<Live> live;

  CheckService(Gate gate, Supplier<Live> live) {
    this.gate = gate;
    this.live = live;
  }

  List<Route> routes() {
    return List.of(
        Route.post(
            "/v1/check", Access.CHECK, exchange -> exchange.body(body -> check(exchange, body))),
        Route.post(
            "/v1/checks", Access.CHECK, exchange -> exchange.body(body -> checks(exchange, body))),
        Route.post(
            "/v1/explain",
            Access.ASKER,
            exchange -> exchange.body(body -> explain(exchange, body))),
        Route.post(
            "/v1/refund",
            Access.CALLER,
            exchange -> exchange.body(body -> refund(exchange, body))));
  }

  private CompletionStage<Verdict> decide(Request request, Check check) {
    return check.isDryRun() ? gate.peekAsync(request) : gate.checkAsync(request);
  }

  private static Request completed(Check check, Live now) {
    return now.completed(check.request(), check.key());
  }

  private static @Nullable CompletionStage<?> awaited(Check check, Live now) {
    return now.awaited(check.request().client(), check.key());
  }

  private void check(Exchange exchange, byte[] body) {
    Live now = live.get();
    Check check = CheckReader.check(body, now.config().client());
    exchange.after(awaited(check, now), () -> check(exchange, check, now));
  }

  private void check(Exchange exchange, Check check, Live now) {
    exchange.when(
        decide(completed(check, now), check),
        verdict -> exchange.json(CheckAnswer.json(verdict, now.response())));
  }

  private void checks(Exchange exchange, byte[] body) {
    Live now = live.get();
    List<Check> checks = CheckReader.checks(body, now.config().client(), MOST_CHECKS);
    CompletionStage<?> awaited = null;
    for (Check check : checks) {
      awaited = both(awaited, awaited(check, now));
    }
    exchange.after(awaited, () -> checks(exchange, checks, now));
  }

  private static @Nullable CompletionStage<?> both(
      @Nullable CompletionStage<?> one, @Nullable CompletionStage<?> other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.thenCombine(other, (first, second) -> true);
  }

  private void checks(Exchange exchange, List<Check> checks, Live now) {
    // Every key is verified before anything is counted.
    List<Request> requests = checks.stream().map(check -> completed(check, now)).toList();
    List<CompletableFuture<Verdict>> verdicts = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      verdicts.add(decide(requests.get(i), checks.get(i)).toCompletableFuture());
    }
    exchange.when(
        CompletableFuture.allOf(verdicts.toArray(new CompletableFuture<?>[0])),
        done -> {
          StringJoiner all = new StringJoiner(", ", "[", "]");
          verdicts.forEach(verdict -> all.add(CheckAnswer.json(verdict.join(), now.response())));
          exchange.json(all.toString());
        });
  }

  private void explain(Exchange exchange, byte[] body) {
    Live now = live.get();
    Check check = CheckReader.check(body, now.config().client());
    exchange.after(
        awaited(check, now),
        () ->
            exchange.when(
                gate.explainAsync(completed(check, now)),
                explanation -> exchange.json(ExplainAnswer.json(explanation, now.response()))));
  }

  private void refund(Exchange exchange, byte[] body) {
    Live now = live.get();
    Refund refund = CheckReader.refund(body, now.config().client());
    exchange.after(now.awaited(refund.client(), refund.key()), () -> refund(exchange, refund, now));
  }

  private void refund(Exchange exchange, Refund refund, Live now) {
    Client client = now.completed(refund.client(), refund.key());
    Request request = refund.request();
    String endpoint = refund.endpoint();
    if (request == null && endpoint != null) {
      request = gate.policy().requestTo(endpoint, client, refund.cost());
    }
    if (request == null) {
      exchange.fail(400, "endpoint", "must be one of the policy, or * for all other paths");
      return;
    }
    if (client.isUnknown()) {
      exchange.fail(400, "client", "must be given, as user:<id>, key:<id> or ip:<address>");
      return;
    }
    exchange.when(
        gate.refund(request.withClient(client)),
        done ->
            exchange.json(
                new JsonText()
                    .put("client", client.id())
                    .put("refunded", refund.cost())
                    .put("policy", gate.policy().version())
                    .toString()));
  }
}
