package dev.weir.http;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Checks tokens with keys that do not change, and remembers what came of it. Good and bad tokens
 * are remembered apart, so that a flood of bad ones pushes out no good one.
 */
final class TokenChecker {
  private static final int REMEMBERED = 10_000;
  private static final long LEEWAY_MICROS = 60_000_000;
  private static final long REFUSED_FOR_MICROS = 30_000_000;

  private final List<TokenKey> keys;
  private final TokenClaims.Names names;
  private final TokenCache<Finding.Verified> verified = new TokenCache<>(REMEMBERED);
  private final TokenCache<Finding.Refused> refused = new TokenCache<>(REMEMBERED);
  private final LongAdder checks = new LongAdder();

  TokenChecker(List<TokenKey> keys, TokenClaims.Names names) {
    this.keys = List.copyOf(keys);
    this.names = names;
  }

  /** What is remembered of the token; null if nothing is. */
  @Nullable Finding recall(TokenPrint print, long nowMicros) {
    Finding good = verified.find(print, nowMicros);
    return good == null ? refused.find(print, nowMicros) : good;
  }

  /** Checks the token, whatever it is, and remembers what came of it. */
  Finding check(String token, TokenPrint print, long nowMicros) {
    checks.increment();
    Finding finding = checkNow(token, nowMicros);
    if (finding instanceof Finding.Verified good) {
      verified.put(print, good);
    } else if (finding instanceof Finding.Refused bad) {
      refused.put(print, bad);
    }
    return finding;
  }

  private Finding checkNow(String token, long nowMicros) {
    try {
      JWSObject object = JWSObject.parse(token);
      if (!isPlain(object.getHeader())) {
        return refused(nowMicros);
      }
      List<TokenKey> fitting = keys.stream().filter(key -> key.fits(object.getHeader())).toList();
      if (fitting.isEmpty()) {
        return new Finding.Refused(true, nowMicros + REFUSED_FOR_MICROS);
      }
      for (TokenKey key : fitting) {
        if (object.verify(key.verifier())) {
          return judged(object.getPayload().toJSONObject(), nowMicros);
        }
      }
      return refused(nowMicros);
    } catch (ParseException | JOSEException | RuntimeException malformed) {
      // Whatever strangers send is no more than a token that cannot be verified. It is not logged:
      // they would write the log.
      return refused(nowMicros);
    }
  }

  /** Extensions that must be understood are not. */
  private static boolean isPlain(JWSHeader header) {
    return header.isBase64URLEncodePayload() && header.getCriticalParams() == null;
  }

  private Finding judged(@Nullable Map<String, Object> payload, long nowMicros) {
    TokenClaims claims = payload == null ? null : TokenClaims.of(payload, names);
    if (claims == null) {
      return refused(nowMicros);
    }
    long startMicros = claims.notBeforeMicros() - LEEWAY_MICROS;
    long endMicros = claims.expiryMicros() + LEEWAY_MICROS;
    if (nowMicros < startMicros) {
      return new Finding.Refused(false, Math.min(startMicros, nowMicros + REFUSED_FOR_MICROS));
    }
    return nowMicros < endMicros
        ? new Finding.Verified(claims.holder(), endMicros)
        : refused(nowMicros);
  }

  private static Finding refused(long nowMicros) {
    return new Finding.Refused(false, nowMicros + REFUSED_FOR_MICROS);
  }

  long checks() {
    return checks.sum();
  }

  @Override
  public String toString() {
    return keys.size() + " keys";
  }
}
