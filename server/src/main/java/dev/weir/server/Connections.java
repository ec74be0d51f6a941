package dev.weir.server;

import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

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

  private final Map<HttpConnection, Caller> open = new ConcurrentHashMap<>();

  /** Who is at the other end of a connection. Only its event loop writes. */
  static final class Caller {
    private final @Nullable String address;
    private volatile long deadline = System.nanoTime() + IDLE_NANOS;
    private int bodies;

    private Caller(HttpConnection connection) {
      SocketAddress remote = connection.remoteAddress();
      this.address = remote == null ? null : remote.hostAddress();
    }

    /** Its address; null if it has none. */
    @Nullable String address() {
      return address;
    }

    private void asked(HttpServerRequest request) {
      if (bodies == 0) {
        deadline = System.nanoTime() + idleNanos(request);
      }
    }

    /** A body is waited for. */
    void bodyStarts() {
      if (bodies++ == 0) {
        deadline = System.nanoTime() + BODY_NANOS;
      }
    }

    /** A body has come. */
    void bodyEnds(HttpServerRequest request) {
      if (--bodies == 0) {
        deadline = System.nanoTime() + idleNanos(request);
      }
    }
  }

  void opened(HttpConnection connection) {
    if (open.size() >= MOST) {
      connection.close();
      return;
    }
    open.put(connection, new Caller(connection));
    connection.closeHandler(closed -> open.remove(connection));
    // Whatever a caller does wrong there is no news.
    connection.exceptionHandler(failure -> {});
  }

  /** The head of a request has come; answers from whom. */
  Caller asked(HttpServerRequest request) {
    Caller known = open.get(request.connection());
    if (known == null) {
      // It is closed already, and what came before that is not answered.
      return new Caller(request.connection());
    }
    known.asked(request);
    return known;
  }

  private static long idleNanos(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_2 ? IDLE_HTTP2_NANOS : IDLE_NANOS;
  }

  /** Closes those that are kept open for nothing; called again and again. */
  void sweep() {
    long now = System.nanoTime();
    open.forEach(
        (connection, caller) -> {
          if (now - caller.deadline > 0) {
            connection.close();
          }
        });
  }

  int size() {
    return open.size();
  }
}
