package dev.weir.spring.reactive;

import dev.weir.spring.RateLimitExceededException;
import dev.weir.spring.RateLimits;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/** Answers a refused call of a limited method as a refused request is answered. */
final class RefusedCalls implements WebExceptionHandler, Ordered {
  private final RateLimits limits;

  RefusedCalls(RateLimits limits) {
    this.limits = limits;
  }

  /** Before Spring Boot's own, which has -1. */
  @Override
  public int getOrder() {
    return -2;
  }

  @Override
  public Mono<Void> handle(ServerWebExchange exchange, Throwable thrown) {
    return thrown instanceof RateLimitExceededException refusal
            && !exchange.getResponse().isCommitted()
        ? Answers.write(exchange, limits.answer(refusal.verdict()))
        : Mono.error(thrown);
  }
}
