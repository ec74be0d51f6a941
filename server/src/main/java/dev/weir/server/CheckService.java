package dev.weir.server;

import dev.weir.http.CheckAnswer;
import dev.weir.http.ExplainAnswer;
import dev.weir.policy.Gate;
import dev.weir.policy.JsonText;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.server.CheckReader.Check;
import dev.weir.server.CheckReader.Refund;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests that are described in JSON: {@code /v1/check} and what belongs to it. The caller
 * is believed who asks and what for.
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

  private static int ipv6Prefix(Live now) {
    return now.config().client().ipv6Prefix();
  }

  private CompletionStage<Verdict> decide(Check check, Live now) {
    Request request = now.completed(check.request());
    return check.isDryRun() ? gate.peekAsync(request) : gate.checkAsync(request);
  }

  /** With what is known of its client already. */
  private static Check completed(Check check, Live now) {
    return new Check(now.completed(check.request()), check.isDryRun());
  }

  private void check(Exchange exchange, byte[] body) {
    Live now = live.get();
    Check check = completed(CheckReader.check(body, ipv6Prefix(now)), now);
    exchange.after(
        now.known().awaited(check.request().client()), () -> check(exchange, check, now));
  }

  private void check(Exchange exchange, Check check, Live now) {
    exchange.when(
        decide(check, now),
        verdict -> exchange.json(CheckAnswer.json(verdict, now.response())));
  }

  private void checks(Exchange exchange, byte[] body) {
    Live now = live.get();
    List<Check> checks =
        CheckReader.checks(body, ipv6Prefix(now), MOST_CHECKS).stream()
            .map(check -> completed(check, now))
            .toList();
    CompletionStage<?> awaited = null;
    for (Check check : checks) {
      awaited = both(awaited, now.known().awaited(check.request().client()));
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
    List<CompletableFuture<Verdict>> verdicts =
        checks.stream().map(check -> decide(check, now).toCompletableFuture()).toList();
    exchange.when(
        CompletableFuture.allOf(verdicts.toArray(new CompletableFuture<?>[0])),
        done -> {
          StringJoiner all = new StringJoiner(", ", "[", "]");
          verdicts.forEach(
              verdict -> all.add(CheckAnswer.json(verdict.join(), now.response())));
          exchange.json(all.toString());
        });
  }

  private void explain(Exchange exchange, byte[] body) {
    Live now = live.get();
    Check check = CheckReader.check(body, ipv6Prefix(now));
    exchange.after(
        now.known().awaited(check.request().client()),
        () ->
            exchange.when(
                gate.explainAsync(now.completed(check.request())),
                explanation -> exchange.json(ExplainAnswer.json(explanation, now.response()))));
  }

  private void refund(Exchange exchange, byte[] body) {
    Live now = live.get();
    Refund refund = CheckReader.refund(body, ipv6Prefix(now));
    exchange.after(now.known().awaited(refund.client()), () -> refund(exchange, refund, now));
  }

  private void refund(Exchange exchange, Refund refund, Live now) {
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
        gate.refund(now.completed(request)),
        done ->
            exchange.json(
                new JsonText()
                    .put("client", refund.client().id())
                    .put("refunded", refund.cost())
                    .put("policy", gate.policy().version())
                    .toString()));
  }
}
