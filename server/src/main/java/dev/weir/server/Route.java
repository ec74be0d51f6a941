package dev.weir.server;

import io.vertx.core.http.HttpMethod;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A route of the HTTP API, with all that is decided before its handler runs.
 *
 * @param method null: any
 * @param path exact, or with {@code {name}} in place of the last segment
 * @param access who may call it
 * @param parameters the query parameters that it takes, all others are refused; null: any, ignored
 * @param handler responds
 */
record Route(
    @Nullable HttpMethod method,
    String path,
    Access access,
    @Nullable Set<String> parameters,
    Consumer<Exchange> handler) {
  /** Validates a change and does not make it; a write that does not declare it refuses it. */
  static final String DRY_RUN = "dry_run";

  private static final String PARAMETER = "{";

  private static Route of(
      @Nullable HttpMethod method, String path, Access access, Consumer<Exchange> handler) {
    return new Route(method, path, access, Set.of(), handler);
  }

  static Route get(String path, Access access, Consumer<Exchange> handler) {
    return of(HttpMethod.GET, path, access, handler);
  }

  static Route post(String path, Access access, Consumer<Exchange> handler) {
    return of(HttpMethod.POST, path, access, handler);
  }

  static Route put(String path, Access access, Consumer<Exchange> handler) {
    return of(HttpMethod.PUT, path, access, handler);
  }

  static Route delete(String path, Access access, Consumer<Exchange> handler) {
    return of(HttpMethod.DELETE, path, access, handler);
  }

  static Route patch(String path, Access access, Consumer<Exchange> handler) {
    return of(HttpMethod.PATCH, path, access, handler);
  }

  static Route any(String path, Access access, Consumer<Exchange> handler) {
    return of(null, path, access, handler);
  }

  /** The same route, which takes these query parameters. */
  Route taking(String... names) {
    return new Route(method, path, access, Set.of(names), handler);
  }

  /** The same route for callers that add query parameters of their own. */
  Route takingAnything() {
    return new Route(method, path, access, null, handler);
  }

  /** Responds to a request whose caller may use this route. */
  void respond(Exchange exchange) {
    if (parameters != null) {
      exchange.requireQueryOf(parameters);
    }
    handler.accept(exchange);
  }

  boolean hasParameter() {
    return path.contains(PARAMETER);
  }

  /** The path, up to its parameter if it has one. */
  String fixedPart() {
    return hasParameter() ? path.substring(0, path.indexOf(PARAMETER)) : path;
  }

  boolean allows(HttpMethod asked) {
    return method == null
        || method.equals(asked)
        || (asked.equals(HttpMethod.HEAD) && method.equals(HttpMethod.GET));
  }
}
