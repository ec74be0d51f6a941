package dev.weir.server;

import dev.weir.Decision;
import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.policy.Client;
import io.vertx.core.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Limits wrong tokens, in bearer requests and at the login, for each client address. A peer that is
 * a trusted proxy passes on many clients, so the bound for a peer is far higher.
 *
 * <p>While an address is over its limit, a token from it is refused whether right or wrong, so that
 * guessing on reveals nothing. Only the right tokens that the address has shown before keep
 * working: somebody who guesses does not lock out a neighbour behind the same address.
 *
 * <p>Thread-safe.
 */
final class TokenAttempts {
  /** Logins are typed; programs repeat a wrong token faster. */
  private static final String LOGINS_OF_ADDRESS = "5/m sliding_log";

  private static final String TOKENS_OF_ADDRESS = "60/m sliding_log";
  private static final String ATTEMPTS_OF_PEER = "6000/m sliding_window";
  private static final long PERIOD_MICROS = 60_000_000;
  private static final int MOST_KNOWN = 10_000;

  private final TimeSource time;
  private final RateLimiter logins;
  private final RateLimiter tokens;
  private final RateLimiter peers;
  private final Set<Known> known = ConcurrentHashMap.newKeySet();

  /** Until then some address may be over its limit. Nobody is while there are no wrong tokens. */
  private volatile long limitedUntilMicros = Long.MIN_VALUE;

  TokenAttempts(TimeSource time) {
    this.time = time;
    this.logins = limiter(LOGINS_OF_ADDRESS, time);
    this.tokens = limiter(TOKENS_OF_ADDRESS, time);
    this.peers = limiter(ATTEMPTS_OF_PEER, time);
  }

  private static RateLimiter limiter(String limit, TimeSource time) {
    return RateLimiter.builder().limit(limit).time(time).build();
  }

  /** A right token and an address that has shown it. */
  private record Known(String address, ByteBuffer print) {}

  /**
   * Where an attempt comes from.
   *
   * @param address of the client
   * @param peer the other end of the connection
   */
  record Origin(String address, String peer) {

    /** The origin of a request. */
    static Origin of(Exchange exchange, Live now) {
      String peer = exchange.peer();
      Client client = now.facts().addressOf(peer, exchange.request().headers()::getAll);
      return new Origin(client.id(), String.valueOf(peer));
    }
  }

  /** Why the caller may not have that, a wrong token counted; null if it may. */
  Guard.@Nullable Refusal refusal(Access access, Exchange exchange, Live now) {
    String authorization = exchange.field(HttpHeaders.AUTHORIZATION);
    Guard.Refusal refusal =
        now.guard()
            .refusal(access, authorization, exchange.host(), exchange.field(HttpHeaders.ORIGIN));
    String token = Guard.bearerToken(authorization);
    return token == null || refusal == Guard.Refusal.ORIGIN
        ? refusal
        : isLimited(Origin.of(exchange, now), token, refusal != Guard.Refusal.TOKEN)
            ? Guard.Refusal.ATTEMPTS
            : refusal;
  }

  /**
   * Whether a bearer token is not to be looked at, since its origin is over the limit.
   *
   * @param isRight whether the token is right; a wrong one is counted
   */
  boolean isLimited(Origin origin, String token, boolean isRight) {
    if (!isRight) {
      return !count(tokens, origin).allowed();
    }
    Known shown = new Known(origin.address, print(token));
    if (known.contains(shown)) {
      return false;
    }
    if (time.nowMicros() < limitedUntilMicros && isExhausted(tokens, origin)) {
      return true;
    }
    remember(shown);
    return false;
  }

  private void remember(Known shown) {
    if (known.size() >= MOST_KNOWN) {
      known.clear();
    }
    known.add(shown);
  }

  /** Counts a login before its token is looked at, so that many at once are not all looked at. */
  Decision countLogin(Origin origin) {
    return count(logins, origin);
  }

  /** The login was right, and is not counted. */
  void refundLogin(Origin origin) {
    logins.refund(origin.address, 1);
    peers.refund(origin.peer, 1);
  }

  private Decision count(RateLimiter addresses, Origin origin) {
    Decision ofPeer = peers.acquire(origin.peer);
    Decision decision = ofPeer.allowed() ? addresses.acquire(origin.address) : ofPeer;
    if (!decision.allowed() || decision.remaining() == 0) {
      limitedUntilMicros = time.nowMicros() + PERIOD_MICROS;
    }
    return decision;
  }

  private boolean isExhausted(RateLimiter addresses, Origin origin) {
    return !addresses.peek(origin.address).allowed() || !peers.peek(origin.peer).allowed();
  }

  private static ByteBuffer print(String token) {
    byte[] print = Guard.print(token);
    return ByteBuffer.wrap(print == null ? new byte[0] : print);
  }
}
