package dev.weir.http;

import dev.weir.RateLimiter;
import dev.weir.TimeSource;
import dev.weir.policy.Client;
import dev.weir.policy.config.ClientSettings;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Verifies JSON Web Tokens: signed with a shared secret (HS256, HS384, HS512), or with a key of a
 * JWKS (RS, PS and ES with 256, 384 or 512 bits). Which algorithms a key is for follows from the
 * key and never from the token, and no token can say where a key is to be had. {@code exp} and
 * {@code nbf} are held with a leeway of 60 s.
 *
 * <p>Results are remembered, by a hash of the token. A sender of more bad tokens than {@value
 * #FAILURES} is not listened to: what it sends counts as unverified without a look at the
 * signature. Thread-safe; a request never waits for keys.
 */
public final class JwtTokens implements Tokens, AutoCloseable {
  private static final int LONGEST_TOKEN = 8_192;
  private static final String FAILURES = "10/s burst 50";
  private static final long MOST_SENDERS = 100_000;

  private final TimeSource time;
  private final TokenClaims.Names names;
  private final List<TokenKey> secretKeys;
  private final RateLimiter failures;
  private final @Nullable JwksRefresh refresh;
  private volatile TokenChecker checker;

  /** Verifies by those settings, on the system's clock. */
  public JwtTokens(ClientSettings settings) {
    this(settings, TimeSource.system());
  }

  /**
   * Verifies by those settings, on that clock. Reads the JWKS before it returns; if that is on the
   * web and cannot be had, tries again later.
   *
   * @throws IllegalArgumentException if the secret is too short, or the JWKS is neither a URL nor a
   *     file that holds one
   */
  public JwtTokens(ClientSettings settings, TimeSource time) {
    this.time = time;
    this.names = new TokenClaims.Names(settings.userClaim(), settings.tierClaim());
    this.secretKeys = TokenKey.ofSecret(settings.jwtSecret());
    this.failures = RateLimiter.builder().limit(FAILURES).time(time).maxKeys(MOST_SENDERS).build();
    this.checker = new TokenChecker(secretKeys, names);
    this.refresh =
        settings.jwtJwks().isEmpty()
            ? null
            : new JwksRefresh(JwksLocation.parse(settings.jwtJwks()), time, this::use);
    if (refresh != null) {
      refresh.start();
    }
  }

  /** What was remembered by other keys is forgotten with them. */
  private void use(List<TokenKey> keys) {
    List<TokenKey> all = new ArrayList<>(secretKeys);
    all.addAll(keys);
    checker = new TokenChecker(all, names);
  }

  @Override
  public @Nullable Holder verify(@Nullable String token, Client sender) {
    if (token == null || token.isEmpty() || token.length() > LONGEST_TOKEN) {
      return null;
    }
    long now = time.nowMicros();
    TokenChecker current = checker;
    TokenPrint print = TokenPrint.of(token);
    Finding finding = current.recall(print, now);
    if (finding == null && failures.peek(sender.id()).allowed()) {
      finding = current.check(token, print, now);
      if (finding instanceof Finding.Refused refused) {
        refuse(refused, sender);
      }
    }
    return finding instanceof Finding.Verified verified ? verified.holder() : null;
  }

  @Override
  public boolean verifiesAny() {
    return !secretKeys.isEmpty() || refresh != null;
  }

  private void refuse(Finding.Refused refused, Client sender) {
    failures.tryAcquire(sender.id());
    if (refused.lacksKey() && refresh != null) {
      refresh.want();
    }
  }

  /** How many tokens were checked with the keys that hold now, and not remembered. */
  long checks() {
    return checker.checks();
  }

  @Nullable JwksRefresh refresh() {
    return refresh;
  }

  /** Reads no keys any more; those that are known stay. */
  @Override
  public void close() {
    if (refresh != null) {
      refresh.close();
    }
  }

  /** Does not tell the secret. */
  @Override
  public String toString() {
    return "JwtTokens[" + checker + (refresh == null ? "]" : " from " + refresh + "]");
  }
}
