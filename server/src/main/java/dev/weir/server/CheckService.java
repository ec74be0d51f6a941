package dev.weir.server;

import dev.weir.http.CheckAnswer;
import dev.weir.http.ExplainAnswer;
import dev.weir.policy.Gate;
import dev.weir.policy.JsonText;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.server.CheckReader.Check;
import dev.weir.server.CheckReader.Refund;
import dev.weir.server.metrics.ServerMetrics;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Decides requests that are described in JSON: {@code /v1/check} and what belongs to it. The caller
 * is believed who asks and what for.
 */
final class CheckService {
  /** The most requests in one call of {@code /v1/checks}. */
  static final int MOST_CHECKS = 100;

  private final Gate gate;
  private final Supplier<Live> live;
  private final ServerMetrics metrics;

  CheckService(Gate gate, Supplier<Live> live, ServerMetrics metrics) {
    this.gate = gate;
    this.live = live;
    this.metrics = metrics;
  }

  List<Route> routes() {
    return List.of(
        Route.post(
            "/v1/check", Access.CHECK, exchange -> exchange.body(body -> check(exchange, body))),
        Route.post(
            "/v1/checks", Access.CHECK, exchange -> exchange.body(body -> checks(exchange, body))),
        Route.post(
            "/v1/explain",
            Access.CALLER,
            exchange -> exchange.body(body -> explain(exchange, body))),
        Route.post(
            "/v1/refund",
            Access.CALLER,
            exchange -> exchange.body(body -> refund(exchange, body))));
  }

  private static int ipv6Prefix(Live now) {
    return now.config().client().ipv6Prefix();
  }

  private CompletionStage<Verdict> decide(Check check) {
    return check.isDryRun() ? gate.peekAsync(check.request()) : gate.checkAsync(check.request());
  }

  private void check(Exchange exchange, byte[] body) {
    long start = System.nanoTime();
    Live now = live.get();
    Check check = CheckReader.check(body, ipv6Prefix(now));
    exchange.when(
        decide(check),
        verdict -> {
          exchange.json(CheckAnswer.json(verdict, now.response()));
          metrics.checked(System.nanoTime() - start);
        });
  }

  private void checks(Exchange exchange, byte[] body) {
    long start = System.nanoTime();
    Live now = live.get();
    List<CompletableFuture<Verdict>> verdicts =
        CheckReader.checks(body, ipv6Prefix(now), MOST_CHECKS).stream()
            .map(check -> decide(check).toCompletableFuture())
            .toList();
    exchange.when(
        CompletableFuture.allOf(verdicts.toArray(new CompletableFuture<?>[0])),
        done -> {
          StringJoiner all = new StringJoiner(", ", "[", "]");
          verdicts.forEach(verdict -> all.add(CheckAnswer.json(verdict.join(), now.response())));
          exchange.json(all.toString());
          metrics.checked(System.nanoTime() - start);
        });
  }

  private void explain(Exchange exchange, byte[] body) {
    Live now = live.get();
    Check check = CheckReader.check(body, ipv6Prefix(now));
    exchange.when(
        gate.explainAsync(check.request()),
        explanation -> exchange.json(ExplainAnswer.json(explanation, now.response())));
  }

  private void refund(Exchange exchange, byte[] body) {
    Refund refund = CheckReader.refund(body, ipv6Prefix(live.get()));
    Request request = refund.request();
    String endpoint = refund.endpoint();
    if (request == null && endpoint != null) {
      request = gate.policy().requestTo(endpoint, refund.client(), refund.cost());
    }
    if (request == null) {
      exchange.fail(400, "endpoint", "must be one of the policy, or * for all other paths");
      return;
    }
    exchange.when(
        gate.refund(request),
        done ->
            exchange.json(
                new JsonText()
                    .put("client", refund.client().id())
                    .put("refunded", refund.cost())
                    .put("policy", gate.policy().version())
                    .toString()));
  }
}
