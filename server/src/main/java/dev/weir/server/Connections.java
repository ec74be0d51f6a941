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

  private final Map<HttpConnection, Caller> open = new ConcurrentHashMap<>();
  private final ServerTimeouts timeouts;
  private volatile boolean isDraining;

  Connections(ServerTimeouts timeouts) {
    this.timeouts = timeouts;
  }

  /** Who is at the other end of a connection. Only its event loop writes. */
  static final class Caller {
    private final @Nullable String address;
    private final ServerTimeouts timeouts;
    private volatile long deadline;
    private volatile boolean isHttp2;
    private int bodies;

    private Caller(HttpConnection connection, ServerTimeouts timeouts) {
      this.timeouts = timeouts;
      this.deadline = after(timeouts.idle());
      SocketAddress remote = connection.remoteAddress();
      this.address = remote == null ? null : remote.hostAddress();
    }

    /** Its address; null if it has none. */
    @Nullable String address() {
      return address;
    }

    private void asked(HttpServerRequest request) {
      isHttp2 = request.version() == HttpVersion.HTTP_2;
      if (bodies == 0) {
        deadline = after(idle(request));
      }
    }

    private Duration idle(HttpServerRequest request) {
      return request.version() == HttpVersion.HTTP_2 ? timeouts.idleHttp2() : timeouts.idle();
    }

    /** A body is waited for. */
    void bodyStarts() {
      if (bodies++ == 0) {
        deadline = after(timeouts.body());
      }
    }

    /** A body has come. */
    void bodyEnds(HttpServerRequest request) {
      if (--bodies == 0) {
        deadline = after(idle(request));
      }
    }
  }

  /** The reading of {@link System#nanoTime} when that much time has gone by. */
  private static long after(Duration timeout) {
    return System.nanoTime() + timeout.toNanos();
  }

  void opened(HttpConnection connection) {
    if (open.size() >= MOST) {
      connection.close();
      return;
    }
    open.put(connection, new Caller(connection, timeouts));
    connection.closeHandler(closed -> open.remove(connection));
    // Whatever a caller does wrong there is no news.
    connection.exceptionHandler(failure -> {});
  }

  /** The head of a request has come; answers from whom. */
  Caller asked(HttpServerRequest request) {
    Caller known = open.get(request.connection());
    if (known == null) {
      // It is closed already, and what came before that is not answered.
      return new Caller(request.connection(), timeouts);
    }
    known.asked(request);
    return known;
  }

  /**
   * Announces that the service stops: callers are to open no more streams on their HTTP/2
   * connections, and each response over HTTP/1.1 says that it is the last of its connection. What
   * comes all the same is served.
   */
  void drain() {
    isDraining = true;
    open.forEach(
        (connection, caller) -> {
          if (caller.isHttp2) {
            connection.goAway(0, Integer.MAX_VALUE);
          }
        });
  }

  boolean isDraining() {
    return isDraining;
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
