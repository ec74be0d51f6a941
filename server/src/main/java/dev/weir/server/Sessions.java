package dev.weir.server;

import dev.weir.TimeSource;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who has logged in. A browser shows a session by a cookie with every request, also with those that
 * other pages make it send. So what changes something has to come with a second secret, which only
 * pages of our own can read.
 *
 * <p>Sessions are in memory and bounded, end with the process, and when the token that they were
 * made with is no longer the one. Of their ids only a print is kept. Thread-safe.
 */
final class Sessions {
  /** The name of the cookie. */
  static final String COOKIE = "weir_session";

  /** How long one lasts. */
  static final Duration LIFE = Duration.ofHours(12);

  /** How many there are at most; the oldest one makes room. */
  static final int MOST = 1_000;

  private static final int SECRET_BYTES = 32;
  private static final CharSequence CSRF = HttpHeaders.createOptimized("X-CSRF-Token");
  private static final CharSequence SITE = HttpHeaders.createOptimized("Sec-Fetch-Site");

  private final TimeSource time;
  private final SecureRandom random = new SecureRandom();

  /** By the print of their ids, the oldest first. */
  private final Map<String, Session> all = new LinkedHashMap<>();

  Sessions(TimeSource time) {
    this.time = time;
  }

  /** Somebody who has logged in. */
  static final class Session {
    private final Role role;
    private final String csrf;
    private final byte[] tokenPrint;
    private final long endMicros;

    private Session(Role role, String csrf, byte[] tokenPrint, long endMicros) {
      this.role = role;
      this.csrf = csrf;
      this.tokenPrint = tokenPrint;
      this.endMicros = endMicros;
    }

    Role role() {
      return role;
    }

    /** What comes with all that changes something. */
    String csrf() {
      return csrf;
    }
  }

  /**
   * A session that has begun.
   *
   * @param id what the cookie says, known to nobody else
   */
  record Opened(String id, Session session) {}

  /** Begins a session of that role, with an id that nobody can have known before. */
  synchronized Opened open(Role role, Guard guard) {
    String id = secret();
    long endMicros = time.nowMicros() + LIFE.toNanos() / 1_000;
    Session session = new Session(role, secret(), guard.printOf(role), endMicros);
    removeOld();
    all.put(printOf(id), session);
    return new Opened(id, session);
  }

  private String secret() {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private void removeOld() {
    long now = time.nowMicros();
    Iterator<Session> each = all.values().iterator();
    while (each.hasNext()) {
      if (each.next().endMicros > now && all.size() < MOST) {
        return;
      }
      each.remove();
    }
  }

  private static String printOf(String id) {
    return HexFormat.of().formatHex(Objects.requireNonNull(Guard.print(id)));
  }

  /** The session that a request shows; null if it shows none, or one that is over. */
  @Nullable Session of(Exchange exchange, Guard guard) {
    String id = exchange.cookie(COOKIE);
    return id == null || id.isEmpty() ? null : find(printOf(id), guard);
  }

  private synchronized @Nullable Session find(String print, Guard guard) {
    Session session = all.get(print);
    if (session == null) {
      return null;
    }
    if (session.endMicros > time.nowMicros() && guard.isCurrent(session.role, session.tokenPrint)) {
      return session;
    }
    all.remove(print);
    return null;
  }

  /** Ends the session that a request shows, if it shows one. */
  void end(Exchange exchange) {
    String id = exchange.cookie(COOKIE);
    if (id != null && !id.isEmpty()) {
      String print = printOf(id);
      synchronized (this) {
        all.remove(print);
      }
    }
  }

  synchronized int size() {
    return all.size();
  }

  /** Why who shows its session may not have that; null if it may. */
  Guard.@Nullable Refusal refusal(Guard guard, Access access, Exchange exchange) {
    Session session = of(exchange, guard);
    if (session == null) {
      return Guard.Refusal.TOKEN;
    }
    if (!isOurPage(exchange)) {
      return Guard.Refusal.SITE;
    }
    if (!isReading(exchange) && !knowsSecret(exchange, session)) {
      return Guard.Refusal.CSRF;
    }
    return Guard.refusal(access, session.role);
  }

  private static boolean isReading(Exchange exchange) {
    HttpMethod method = exchange.method();
    return method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD);
  }

  private static boolean knowsSecret(Exchange exchange, Session session) {
    String shown = exchange.field(CSRF);
    return shown != null
        && MessageDigest.isEqual(
            shown.getBytes(StandardCharsets.UTF_8), session.csrf.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Whether nothing tells that a page of another origin makes the browser ask. Whether the page
   * came by TLS only a proxy before us knows, so either will do. What somebody types into the
   * address bar is of no page, and can only read.
   */
  static boolean isOurPage(Exchange exchange) {
    String origin = exchange.field(HttpHeaders.ORIGIN);
    String site = exchange.field(SITE);
    String host = exchange.host();
    boolean isOurOrigin =
        origin == null
            || origin.equalsIgnoreCase("http://" + host)
            || origin.equalsIgnoreCase("https://" + host);
    boolean isOurSite =
        site == null || site.equals("same-origin") || (site.equals("none") && isReading(exchange));
    return isOurOrigin && isOurSite;
  }
}
