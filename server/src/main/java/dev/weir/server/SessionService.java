package dev.weir.server;

import dev.weir.Decision;
import dev.weir.policy.JsonText;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.config.Config;
import dev.weir.policy.event.LiveEventLog;
import io.vertx.core.http.HttpHeaders;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens sessions of the dashboard: whoever gives a token is given a session. */
final class SessionService {
  private static final String PATH = "/v1/session";
  private static final CharSequence FORWARDED_PROTO =
      HttpHeaders.createOptimized("X-Forwarded-Proto");

  private final Supplier<Live> live;
  private final Sessions sessions;
  private final TokenAttempts attempts;
  private final String version;
  private final String host;

  /**
   * The service.
   *
   * @param version of Weir
   * @param host the name of this machine
   */
  SessionService(
      Supplier<Live> live, Sessions sessions, TokenAttempts attempts, String version, String host) {
    this.live = live;
    this.sessions = sessions;
    this.attempts = attempts;
    this.version = version;
    this.host = host;
  }

  List<Route> routes() {
    return List.of(
        Route.get(PATH, Access.OPEN, AdminCall.guarded(this::show)),
        Route.post(PATH, Access.OPEN, AdminCall.guarded(this::logIn)),
        Route.delete(PATH, Access.OPEN, AdminCall.guarded(this::logOut)));
  }

  private void show(Exchange exchange) {
    Live now = live.get();
    Guard guard = now.guard();
    Sessions.Session session = sessions.of(exchange, guard);
    if (guard.hasLogin()) {
      String token = Guard.bearerToken(exchange.field(HttpHeaders.AUTHORIZATION));
      Role shown = token == null ? null : guard.roleOf(token);
      if (token != null
          && attempts.isLimited(TokenAttempts.Origin.of(exchange, now), token, shown != null)) {
        Routes.refuse(exchange, Guard.Refusal.ATTEMPTS);
        return;
      }
      Role role = shown == null && session != null ? session.role() : shown;
      answer(exchange, role, session == null ? null : session.csrf());
      return;
    }
    Guard.Refusal refusal =
        guard.refusal(Access.ADMIN, null, exchange.host(), exchange.field(HttpHeaders.ORIGIN));
    if (refusal == null) {
      answer(exchange, Role.ADMIN, null);
    } else {
      Routes.refuse(exchange, refusal);
    }
  }

  private void answer(Exchange exchange, @Nullable Role role, @Nullable String csrf) {
    Live now = live.get();
    Config config = now.config();
    JsonText text = new JsonText().put("login", now.guard().hasLogin() ? "token" : "none");
    AdminCall.putOrNull(text, "role", role == null ? null : role.toString());
    AdminCall.putOrNull(text, "csrf", csrf);
    exchange.json(
        text.put("version", version)
            .put("server", LiveEventLog.serverId(config, host))
            .put("region", config.server().region())
            .toString());
  }

  private void logIn(Exchange exchange) {
    exchange.body(
        body -> {
          Live now = live.get();
          if (!now.guard().hasLogin()) {
            show(exchange);
          } else if (!Sessions.isOurPage(exchange)) {
            Routes.refuse(exchange, Guard.Refusal.SITE);
          } else {
            logIn(exchange, now, token(body));
          }
        });
  }

  private static String token(byte[] bytes) {
    String[] token = {""};
    try (JsonBody body = new JsonBody(bytes)) {
      body.object(
          name -> {
            boolean isKnown = name.equals("token");
            if (isKnown) {
              token[0] = body.string(name);
            }
            return isKnown;
          });
    }
    if (token[0].isEmpty()) {
      throw new MalformedRequestException("token", "must be given: the admin or the read token");
    }
    return token[0];
  }

  private void logIn(Exchange exchange, Live now, String token) {
    TokenAttempts.Origin origin = TokenAttempts.Origin.of(exchange, now);
    Decision decision = attempts.countLogin(origin);
    if (!decision.allowed()) {
      long seconds = -Math.floorDiv(-decision.retryAfterMicros(), 1_000_000L);
      exchange.put("Retry-After", Long.toString(seconds));
      exchange.fail(429, "token", "was wrong too often; retry in " + seconds + " s");
      return;
    }
    Role role = now.guard().roleOf(token);
    if (role == null) {
      AdminCall.log(exchange, "log in, refused: the token is wrong");
      exchange.put("WWW-Authenticate", "Bearer");
      exchange.fail(401, "token", "must be the admin or the read token");
      return;
    }
    attempts.refundLogin(origin);
    open(exchange, now, role);
  }

  private void open(Exchange exchange, Live now, Role role) {
    // What the browser has shown until now may be known to others.
    sessions.end(exchange);
    Sessions.Opened opened = sessions.open(role, now.guard());
    AdminCall.log(exchange, "log in as " + role);
    putCookie(exchange, now, opened.id(), Sessions.LIFE.toSeconds());
    answer(exchange, role, opened.session().csrf());
  }

  private void logOut(Exchange exchange) {
    if (!Sessions.isOurPage(exchange)) {
      Routes.refuse(exchange, Guard.Refusal.SITE);
      return;
    }
    sessions.end(exchange);
    putCookie(exchange, live.get(), "", 0);
    exchange.end(204);
  }

  private static void putCookie(Exchange exchange, Live now, String id, long seconds) {
    boolean isSecure =
        now.facts().isTrustedProxy(exchange.peer())
            && "https".equalsIgnoreCase(exchange.field(FORWARDED_PROTO));
    exchange.put(
        HttpHeaders.SET_COOKIE,
        "%s=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%d%s"
            .formatted(Sessions.COOKIE, id, seconds, isSecure ? "; Secure" : ""));
  }
}
