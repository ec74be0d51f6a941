package dev.weir.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The servers that are compared. */
enum ServerContender {
  BARE_CHECK("bare Vert.x, JSON", ServerCall.CHECK, false),
  WEIR_CHECK("Weir, /v1/check", ServerCall.CHECK, false),
  BARE_AUTH("bare Vert.x, fields", ServerCall.AUTH, false),
  WEIR_AUTH("Weir, /v1/auth", ServerCall.AUTH, false),
  NGINX("nginx limit_req", ServerCall.AUTH, false) {
    @Override
    ServerProcess start(Path folder, @Nullable String redisUri)
        throws IOException, InterruptedException {
      return Nginx.start(folder);
    }
  },
  BARE_RLS("bare Vert.x, gRPC", ServerCall.RLS, false),
  WEIR_RLS("Weir, Envoy's protocol", ServerCall.RLS, false),
  WEIR_CHECK_REDIS("Weir on Redis, /v1/check", ServerCall.CHECK, true),
  WEIR_CHECKS_REDIS("Weir on Redis, /v1/checks of 16", ServerCall.CHECKS, true),
  WEIR_AUTH_REDIS("Weir on Redis, /v1/auth", ServerCall.AUTH, true),
  WEIR_RLS_REDIS("Weir on Redis, Envoy's protocol", ServerCall.RLS, true);

  final String title;
  final ServerCall call;
  final boolean isOnRedis;

  ServerContender(String title, ServerCall call, boolean isOnRedis) {
    this.title = title;
    this.call = call;
    this.isOnRedis = isOnRedis;
  }

  /** Those that are compared with each other: by what they are asked; and those on Redis. */
  static List<List<ServerContender>> groups() {
    return List.of(
        List.of(BARE_CHECK, WEIR_CHECK),
        List.of(BARE_AUTH, WEIR_AUTH, NGINX),
        List.of(BARE_RLS, WEIR_RLS),
        List.of(WEIR_CHECK_REDIS, WEIR_CHECKS_REDIS, WEIR_AUTH_REDIS, WEIR_RLS_REDIS));
  }

  /** Starts it, with files in that folder if it needs any. */
  ServerProcess start(Path folder, @Nullable String redisUri)
      throws IOException, InterruptedException {
    return this == bare()
        ? ServerProcess.jvm(BareService.class, call)
        : WeirService.start(call, folder, redisUri);
  }

  /** Whether it is ours, and not only there to be compared with. */
  boolean isWeir() {
    return this != bare() && this != NGINX;
  }

  /** The one that answers a constant where this one thinks. */
  ServerContender bare() {
    return switch (call) {
      case CHECK, CHECKS -> BARE_CHECK;
      case AUTH -> BARE_AUTH;
      case RLS -> BARE_RLS;
    };
  }

  /** Over gRPC one for each of two cores, as a proxy has one for each worker. */
  int connections() {
    return call == ServerCall.RLS ? 2 : inFlight();
  }

  /** How many requests may be in flight on one connection. */
  int depth() {
    return inFlight() / connections();
  }

  /** On Redis as many as the library is asked for at a time; else what keeps two cores busy. */
  private int inFlight() {
    if (isOnRedis) {
      return RedisLoad.USUAL_IN_FLIGHT / call.decisions();
    }
    return call == ServerCall.RLS ? 128 : 64;
  }
}
