package dev.weir.server;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All that the service answers to over HTTP, and who may have it. */
final class Routes {
  private final Supplier<Live> live;
  private final TokenAttempts attempts;
  private final Sessions sessions;
  private final List<Route> all;
  private final Map<String, List<Route>> byPath = new HashMap<>();
  private final Map<String, List<Route>> byPrefix = new HashMap<>();

  Routes(Supplier<Live> live, TokenAttempts attempts, Sessions sessions, List<Route> routes) {
    this.live = live;
    this.attempts = attempts;
    this.sessions = sessions;
    this.all = List.copyOf(routes);
    for (Route route : all) {
      Map<String, List<Route>> map = route.hasParameter() ? byPrefix : byPath;
      map.computeIfAbsent(route.fixedPart(), any -> new ArrayList<>()).add(route);
    }
  }

  List<Route> all() {
    return all;
  }

  /** Answers a request. */
  void handle(Exchange exchange) {
    List<Route> found = byPath.get(exchange.path());
    if (found == null) {
      found = withParameter(exchange);
    }
    if (found.isEmpty()) {
      // Who may not know what there is, is not told what there is not.
      answer(exchange, Access.OPEN, Routes::notFound);
      return;
    }
    HttpMethod method = exchange.method();
    for (Route route : found) {
      if (route.allows(method)) {
        answer(exchange, route.access(), route::respond);
        return;
      }
    }
    Access access = found.get(0).access();
    List<Route> others = found;
    answer(exchange, access, asked -> methodNotAllowed(asked, others));
  }

  private List<Route> withParameter(Exchange exchange) {
    String path = exchange.path();
    int slash = path.lastIndexOf('/');
    List<Route> found = byPrefix.getOrDefault(path.substring(0, slash + 1), List.of());
    if (!found.isEmpty()) {
      exchange.useParameter(path.substring(slash + 1));
    }
    return found;
  }

  private void answer(Exchange exchange, Access access, Consumer<Exchange> handler) {
    Live now = live.get();
    Guard.Refusal refusal = now.guard().isForAll(access) ? null : refusal(now, access, exchange);
    if (refusal == null) {
      handler.accept(exchange);
    } else {
      refuse(exchange, refusal);
    }
  }

  /** What programs show is looked at first; checks are for them alone. */
  private Guard.@Nullable Refusal refusal(Live now, Access access, Exchange exchange) {
    Guard.Refusal refusal = attempts.refusal(access, exchange, now);
    return refusal == Guard.Refusal.TOKEN && access.takesSessions()
        ? sessions.refusal(now.guard(), access, exchange)
        : refusal;
  }

  /** Says why a caller may not have something. */
  static void refuse(Exchange exchange, Guard.Refusal refusal) {
    switch (refusal) {
      case TOKEN -> {
        exchange.put("WWW-Authenticate", "Bearer");
        exchange.fail(401, "authorization", "must be Bearer with the right token");
      }
      case ATTEMPTS -> {
        exchange.put(HttpHeaders.RETRY_AFTER, "60");
        exchange.fail(429, "authorization", "was wrong too often; retry in a minute");
      }
      case ORIGIN ->
          exchange.fail(
              403, "origin", "must be this service: without a token, no web page may ask");
      case READER ->
          exchange.fail(
              403,
              "read_token",
              exchange.method().equals(HttpMethod.GET)
                  ? "may not see secrets"
                  : "may not change anything");
      case SITE ->
          exchange.fail(403, "origin", "must be this service: no other page may use a session");
      case CSRF ->
          exchange.fail(403, "X-CSRF-Token", "must be the csrf that /v1/session has given");
    }
  }

  private static void notFound(Exchange exchange) {
    exchange.fail(404, "path", "there is nothing at " + exchange.path());
  }

  private static void methodNotAllowed(Exchange exchange, List<Route> routes) {
    Set<String> methods = new LinkedHashSet<>();
    for (Route route : routes) {
      HttpMethod method = route.method();
      if (method != null) {
        methods.add(method.name());
      }
    }
    String allowed = String.join(", ", methods);
    exchange.put("Allow", allowed);
    exchange.fail(405, "method", "must be " + allowed + ", got " + exchange.method());
  }
}
