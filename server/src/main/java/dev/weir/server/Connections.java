package dev.weir.server;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open connections: not more than a bound, and none that is kept open for nothing. A caller has
 * to send each body soon after its head, and the next request not too late, however slowly it
 * sends: bytes that trickle in do not count, whole requests do. Of the first head {@link FirstHead}
 * takes care.
 */
final class Connections {
  private static final int MOST = 10_000;
  private static final long BODY_NANOS = Duration.ofSeconds(10).toNanos();
  private static final long IDLE_NANOS = Duration.ofSeconds(75).toNanos();

  /** Proxies keep their connections of HTTP/2 for long. */
  private static final long IDLE_HTTP2_NANOS = Duration.ofMinutes(15).toNanos();

  private final Map<HttpConnection, Watched> open = new ConcurrentHashMap<>();

  /** What is known of a connection. Only its event loop writes. */
  private static final class Watched {
    volatile long deadline = System.nanoTime() + IDLE_NANOS;
    int bodies;
  }

  void opened(HttpConnection connection) {
    if (open.size() >= MOST) {
      connection.close();
      return;
    }
    open.put(connection, new Watched());
    connection.closeHandler(closed -> open.remove(connection));
    // Whatever a caller does wrong there is no news.
    connection.exceptionHandler(failure -> {});
  }

  /** The head of a request has come. */
  void asked(HttpServerRequest request) {
    Watched watched = open.get(request.connection());
    if (watched != null && watched.bodies == 0) {
      watched.deadline = System.nanoTime() + idleNanos(request);
    }
  }

  /** A body is waited for. */
  void bodyStarts(HttpServerRequest request) {
    Watched watched = open.get(request.connection());
    if (watched != null && watched.bodies++ == 0) {
      watched.deadline = System.nanoTime() + BODY_NANOS;
    }
  }

  /** A body has come. */
  void bodyEnds(HttpServerRequest request) {
    Watched watched = open.get(request.connection());
    if (watched != null && --watched.bodies == 0) {
      watched.deadline = System.nanoTime() + idleNanos(request);
    }
  }

  private static long idleNanos(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_2 ? IDLE_HTTP2_NANOS : IDLE_NANOS;
  }

  /** Closes those that are kept open for nothing; called again and again. */
  void sweep() {
    long now = System.nanoTime();
    open.forEach(
        (connection, watched) -> {
          if (now - watched.deadline > 0) {
            connection.close();
          }
        });
  }

  int size() {
    return open.size();
  }
}
