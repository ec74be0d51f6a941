package dev.weir.server;

import io.vertx.core.http.HttpMethod;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One thing that the service answers to.
 *
 * @param method null: any
 * @param path exact, or with {@code {name}} in place of the last segment
 * @param access who may have it
 * @param handler answers
 */
record Route(@Nullable HttpMethod method, String path, Access access, Consumer<Exchange> handler) {
  private static final String PARAMETER = "{";

  static Route get(String path, Access access, Consumer<Exchange> handler) {
    return new Route(HttpMethod.GET, path, access, handler);
  }

  static Route post(String path, Access access, Consumer<Exchange> handler) {
    return new Route(HttpMethod.POST, path, access, handler);
  }

  static Route put(String path, Access access, Consumer<Exchange> handler) {
    return new Route(HttpMethod.PUT, path, access, handler);
  }

  static Route delete(String path, Access access, Consumer<Exchange> handler) {
    return new Route(HttpMethod.DELETE, path, access, handler);
  }

  static Route any(String path, Access access, Consumer<Exchange> handler) {
    return new Route(null, path, access, handler);
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
