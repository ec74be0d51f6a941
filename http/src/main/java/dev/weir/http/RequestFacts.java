package dev.weir.http;

import dev.weir.policy.ApiKeys;
import dev.weir.policy.Client;
import dev.weir.policy.Headers;
import dev.weir.policy.KnownClients;
import dev.weir.policy.Request;
import dev.weir.policy.Users;
import dev.weir.policy.config.ClientSettings;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who asks for what. Only what was verified counts: a token by its signature, a key by
 * being known, an address by the connection or a trusted proxy. Thread-safe.
 */
public final class RequestFacts {
  private static final System.Logger LOGGER = System.getLogger(RequestFacts.class.getName());
  private static final String BEARER = "bearer ";
  private static final int LONGEST_SECRET = 1_024;

  private final ForwardedFor forwardedFor;
  private final String apiKeyHeader;
  private final Tokens tokens;
  private final KnownClients known;
  private final boolean readsTokens;
  private final boolean readsKeys;
  private final AtomicBoolean hasWarned = new AtomicBoolean();

  /** Finds out by those settings; {@code tokens} verifies, {@code keys} knows. */
  public RequestFacts(ClientSettings settings, Tokens tokens, ApiKeys keys) {
    this(settings, tokens, new KnownClients(keys, Users.none()));
  }

  /** Finds out by those settings; {@code tokens} verifies, {@code known} knows keys and users. */
  public RequestFacts(ClientSettings settings, Tokens tokens, KnownClients known) {
    this.forwardedFor =
        new ForwardedFor(
            settings.trustedProxies(), settings.trustedProxyDepth(), settings.ipv6Prefix());
    this.apiKeyHeader = settings.apiKeyHeader().toLowerCase(Locale.ROOT);
    this.tokens = tokens;
    this.known = known;
    this.readsTokens = tokens.verifiesAny();
    this.readsKeys = known.keys().knowsAny();
  }

  /**
   * The request with its client.
   *
   * @throws dev.weir.policy.MalformedRequestException if a part of it cannot be understood
   */
  public Request of(HttpRequest request) {
    return new Request(
        request.method(), request.target(), client(request), request.cost(), request.headers());
  }

  /** The client of a request by its address alone, which costs no verification of tokens. */
  public Client addressOf(@Nullable String peer, Headers headers) {
    return forwardedFor.client(peer, headers);
  }

  /** Whether the peer is a proxy whose word counts. */
  public boolean isTrustedProxy(@Nullable String peer) {
    return forwardedFor.isTrusted(peer);
  }

  /**
   * A request as far as its client is known.
   *
   * @param request the request with its client
   * @param awaited completes, always well, when more is known or no more is to be had in time; then
   *     {@link RequestFacts#of} tells. Null if nothing would be gained, as nearly always
   */
  public record Found(Request request, @Nullable CompletionStage<?> awaited) {}

  /**
   * As {@link #of}; and whether waiting a little would help: what is known of a key or a user may
   * have to be looked up.
   */
  public Found find(HttpRequest request) {
    Request found = of(request);
    Client client = found.client();
    String secret = client.knownKey() == null ? secret(request.headers()) : null;
    CompletionStage<?> key = secret == null ? null : known.keys().awaited(secret);
    return new Found(
        found,
        key == null
            ? known.awaitedUser(client)
            : KnownClients.inTurn(key, () -> known.awaitedUser(of(request).client())));
  }

  private Client client(HttpRequest request) {
    Client client = known(request);
    if (client.isUnknown()) {
      warnOfUnknownClients();
    }
    return client;
  }

  /** What a token says of user and tier wins over what is known of a key. */
  private Client known(HttpRequest request) {
    Headers headers = request.headers();
    Client client = forwardedFor.client(request.peer(), headers);
    Tokens.Holder holder = readsTokens ? tokens.verify(bearerToken(headers), client) : null;
    String secret = secret(headers);
    return known.complete(
        holder == null ? client : withHolder(client, holder),
        secret == null ? null : known.keys().find(secret));
  }

  /** They may pass uncounted; the operator should hear of that, once. */
  private void warnOfUnknownClients() {
    if (!hasWarned.get() && hasWarned.compareAndSet(false, true)) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "a request tells neither user nor key nor address; on_missing_client decides on it");
    }
  }

  private static Client withHolder(Client client, Tokens.Holder holder) {
    Client named = client.withUser(holder.user());
    return holder.tier() == null ? named : named.withTier(holder.tier());
  }

  private @Nullable String secret(Headers headers) {
    if (!readsKeys) {
      return null;
    }
    List<String> secrets = headers.values(apiKeyHeader);
    // Which of several keys a service behind would take is not known, so none counts.
    if (secrets.size() != 1 || secrets.get(0).length() > LONGEST_SECRET) {
      return null;
    }
    return secrets.get(0).isEmpty() ? null : secrets.get(0);
  }

  private static @Nullable String bearerToken(Headers headers) {
    List<String> values = headers.values("authorization");
    if (values.size() != 1) {
      return null;
    }
    String value = values.get(0);
    boolean isBearer = value.regionMatches(true, 0, BEARER, 0, BEARER.length());
    return isBearer ? value.substring(BEARER.length()).strip() : null;
  }
}
