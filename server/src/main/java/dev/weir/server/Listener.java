package dev.weir.server;

import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One event loop of the service: takes requests over HTTP and gRPC from the one port. */
final class Listener extends VerticleBase {
  private static final int MOST_HEADERS = 100;
  private static final int MOST_LINE_BYTES = 8 << 10;
  private static final int MOST_HEADER_BYTES = 16 << 10;
  private static final int MOST_STREAMS = 1_000;
  private static final long MOST_MESSAGE_BYTES = 2 << 20;

  private final ListenAddress address;
  private final Routes routes;
  private final GrpcCalls calls;
  private final Connections connections;
  private final Duration drain;
  private @Nullable HttpServer server;
  private @Nullable GrpcServer grpc;

  /**
   * One that does not listen yet.
   *
   * @param drain how long requests under way may take when it stops
   */
  Listener(
      ListenAddress address,
      Routes routes,
      GrpcCalls calls,
      Connections connections,
      Duration drain) {
    this.address = address;
    this.routes = routes;
    this.calls = calls;
    this.connections = connections;
    this.drain = drain;
  }

  /** Bounds on all that a stranger can send. */
  private static HttpServerOptions options() {
    return new HttpServerOptions()
        .setMaxInitialLineLength(MOST_LINE_BYTES)
        .setMaxHeaderSize(MOST_HEADER_BYTES)
        .setMaxChunkSize(16 << 10)
        .setDecompressionSupported(false)
        .setPerMessageWebSocketCompressionSupported(false)
        .setPerFrameWebSocketCompressionSupported(false)
        .setTcpNoDelay(true)
        .setTcpKeepAlive(true)
        .setAcceptBacklog(1_024)
        .setHttp2RstFloodMaxRstFramePerWindow(200)
        .setHttp2RstFloodWindowDuration(30)
        .setHttp2RstFloodWindowDurationTimeUnit(TimeUnit.SECONDS)
        .setInitialSettings(
            new Http2Settings()
                .setMaxConcurrentStreams(MOST_STREAMS)
                .setMaxHeaderListSize(MOST_HEADER_BYTES));
  }

  @Override
  public Future<?> start() {
    grpc =
        calls.addTo(
            GrpcServer.server(
                vertx, new GrpcServerOptions().setMaxMessageSize(MOST_MESSAGE_BYTES)));
    server =
        vertx
            .createHttpServer(options())
            .connectionHandler(connections::opened)
            .invalidRequestHandler(this::refuseInvalid)
            .requestHandler(this::handle);
    // A negative port stands for one that is free, and is the same for all event loops.
    return server.listen(address.port() == 0 ? -1 : address.port(), address.host());
  }

  int port() {
    return server == null ? 0 : server.actualPort();
  }

  private void handle(HttpServerRequest request) {
    Connections.Caller caller = connections.asked(request);
    if (request.response().writeQueueFull()) {
      // It asks, and does not read the answers.
      request.connection().close();
      return;
    }
    Exchange exchange = new Exchange(request, caller);
    if (connections.isDraining() && request.version() != HttpVersion.HTTP_2) {
      exchange.put(HttpHeaders.CONNECTION, "close");
    }
    exchange.guarded(() -> handle(request, exchange));
  }

  private void handle(HttpServerRequest request, Exchange exchange) {
    RequestHead.require(request);
    GrpcServer forGrpc = grpc;
    if (forGrpc != null && GrpcCalls.isCall(request)) {
      calls.handle(exchange, forGrpc);
      return;
    }
    if (hasManyFields(request.headers())) {
      exchange.fail(431, "headers", "must be at most " + MOST_HEADERS);
      return;
    }
    routes.handle(exchange);
  }

  /** Counts lines, of which several may have one name. */
  private static boolean hasManyFields(MultiMap fields) {
    Iterator<Map.Entry<String, String>> each = fields.iterator();
    for (int count = 0; each.hasNext(); count++) {
      if (count == MOST_HEADERS) {
        return true;
      }
      each.next();
    }
    return false;
  }

  /** What is no HTTP is answered in the same shape as all else that is wrong. */
  private void refuseInvalid(HttpServerRequest request) {
    Exchange exchange = new Exchange(request, connections.asked(request));
    exchange.put("Connection", "close");
    Throwable cause = request.decoderResult().cause();
    if (cause instanceof TooLongHttpLineException) {
      exchange.fail(414, "path", "must be at most " + MOST_LINE_BYTES + " bytes long");
    } else if (cause instanceof TooLongHttpHeaderException) {
      exchange.fail(431, "headers", "must be at most " + MOST_HEADER_BYTES + " bytes long");
    } else {
      exchange.fail(400, "request", "must be HTTP/1.1 or HTTP/2");
    }
    request.connection().close();
  }

  /** Requests that are under way are answered first. */
  @Override
  public Future<?> stop() {
    return server == null
        ? Future.succeededFuture()
        : server.shutdown(drain.toMillis(), TimeUnit.MILLISECONDS);
  }
}
