package dev.weir.spring.reactive;

import dev.weir.http.HttpRequest;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.Request;
import dev.weir.policy.RequestPath;
import dev.weir.policy.Verdict;
import dev.weir.spring.CurrentRequest;
import dev.weir.spring.RateLimits;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/**
 * Decides each request once, before anybody reads its body, and without holding a thread. A request
 * that it refuses goes no further; one that passes carries the fields of the decision in its
 * response.
 *
 * <p>Where users are authenticated further down the chain, a request whose limits count by user is
 * decided there, by {@link #afterAuthentication}. One that does not get that far is counted by its
 * address when it comes back.
 */
public final class RateLimitWebFilter implements WebFilter, Ordered {
  /** Has a request that is not decided yet. */
  private static final String AWAITED = RateLimitWebFilter.class.getName() + ".AWAITED";

  private final RateLimits limits;
  private final boolean isAuthenticatedLater;
  private final int order;

  /**
   * A filter.
   *
   * @param isAuthenticatedLater whether {@link #afterAuthentication} is further down the chain
   * @param order its place in the chain
   */
  public RateLimitWebFilter(RateLimits limits, boolean isAuthenticatedLater, int order) {
    this.limits = limits;
    this.isAuthenticatedLater = isAuthenticatedLater;
    this.order = order;
  }

  @Override
  public int getOrder() {
    return order;
  }

  @Override
  public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
    if (exchange.getAttribute(CurrentRequest.VERDICT) != null
        || exchange.getAttribute(AWAITED) != null) {
      return chain.filter(exchange);
    }
    Request request;
    try {
      request = request(exchange.getRequest());
    } catch (MalformedRequestException mistake) {
      return Answers.write(exchange, limits.answer(mistake));
    }
    if (!isAuthenticatedLater) {
      return passUser(request, exchange, chain);
    }
    if (!limits.awaitsUser(request)) {
      return pass(request, exchange, chain);
    }
    return Mono.fromFuture(() -> limits.refusalOfAddress(request).toCompletableFuture(), true)
        .map(refusal -> pass(refusal, exchange, chain))
        .defaultIfEmpty(Mono.defer(() -> passUndecided(request, exchange, chain)))
        .flatMap(Function.identity());
  }

  private Mono<Void> passUndecided(
      Request request, ServerWebExchange exchange, WebFilterChain chain) {
    exchange.getAttributes().put(AWAITED, request);
    return chain
        .filter(exchange)
        .then(Mono.defer(() -> countUndecided(exchange)))
        .onErrorResume(failure -> countUndecided(exchange).then(Mono.error(failure)));
  }

  private Mono<Void> countUndecided(ServerWebExchange exchange) {
    return exchange.getAttributes().remove(AWAITED) instanceof Request request
        ? Mono.fromFuture(() -> limits.countRejected(request).toCompletableFuture(), true).then()
        : Mono.empty();
  }

  private Request request(ServerHttpRequest http) {
    return limits.request(
        new HttpRequest(
            http.getMethod().name(), target(http), peer(http), http.getHeaders()::getOrEmpty));
  }

  /** Inside the application: patterns need not know where it is mounted. */
  private static String target(ServerHttpRequest http) {
    String target = http.getPath().pathWithinApplication().value();
    RequestPath.requireNoDotSegments(target);
    return target;
  }

  private static @Nullable String peer(ServerHttpRequest http) {
    InetSocketAddress peer = http.getRemoteAddress();
    if (peer == null) {
      return null;
    }
    return peer.isUnresolved() ? peer.getHostString() : peer.getAddress().getHostAddress();
  }

  /** With the user, if there is one. */
  private Mono<Void> passUser(Request request, ServerWebExchange exchange, WebFilterChain chain) {
    return exchange
        .getPrincipal()
        .filter(Users::isKnown)
        .map(Principal::getName)
        .map(user -> limits.authenticated(request, user))
        .defaultIfEmpty(request)
        .flatMap(known -> pass(known, exchange, chain));
  }

  private Mono<Void> pass(Request request, ServerWebExchange exchange, WebFilterChain chain) {
    return checked(request).flatMap(verdict -> pass(verdict, exchange, chain));
  }

  /** A decision that is on its way is counted, whoever loses interest in it. */
  private Mono<Verdict> checked(Request request) {
    return Mono.fromFuture(() -> limits.checkAsync(request).toCompletableFuture(), true);
  }

  private Mono<Void> pass(Verdict verdict, ServerWebExchange exchange, WebFilterChain chain) {
    exchange.getAttributes().put(CurrentRequest.VERDICT, verdict);
    if (!verdict.isAllowed()) {
      return Answers.write(exchange, limits.answer(verdict));
    }
    limits.fields(verdict, exchange.getResponse().getHeaders()::set);
    return chain.filter(exchange).contextWrite(context -> RequestContext.with(verdict, context));
  }

  /**
   * Decides requests that were let through to it undecided, now that the user is known.
   *
   * @param itsOrder its place in the chain
   */
  public WebFilter afterAuthentication(int itsOrder) {
    return new AfterAuthentication(itsOrder);
  }

  private final class AfterAuthentication implements WebFilter, Ordered {
    private final int itsOrder;

    AfterAuthentication(int itsOrder) {
      this.itsOrder = itsOrder;
    }

    @Override
    public int getOrder() {
      return itsOrder;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
      if (!(exchange.getAttributes().remove(AWAITED) instanceof Request awaited)) {
        return chain.filter(exchange);
      }
      return passUser(awaited, exchange, chain);
    }
  }
}
