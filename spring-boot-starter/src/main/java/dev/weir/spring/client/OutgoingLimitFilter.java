package dev.weir.spring.client;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/** Limits what a {@code WebClient} asks of others, without holding a thread. */
public final class OutgoingLimitFilter implements ExchangeFilterFunction {
  private final OutgoingLimits limits;

  /** Keeps to those limits, which several clients may share. */
  public OutgoingLimitFilter(OutgoingLimits limits) {
    this.limits = limits;
  }

  @Override
  public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
    String host = Hosts.of(request.url());
    return Mono.fromFuture(() -> limits.permitted(host).toCompletableFuture(), true)
        .then(Mono.defer(() -> next.exchange(request)))
        .doOnNext(
            response ->
                limits.answered(
                    host,
                    response.statusCode().value(),
                    name ->
                        OutgoingLimitInterceptor.joined(response.headers().asHttpHeaders(), name)));
  }
}
