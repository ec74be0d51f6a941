package dev.weir.http;

import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Headers;
import dev.weir.policy.Request;
import dev.weir.policy.config.ClientSettings;
import java.util.List;
import java.util.Locale;
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

  private final ClientSettings settings;
  private final ForwardedFor forwardedFor;
  private final String apiKeyHeader;
  private final Tokens tokens;
  private final ApiKeys keys;
  private final AtomicBoolean hasWarned = new AtomicBoolean();

  /** Finds out by those settings; {@code tokens} verifies, {@code keys} knows. */
  public RequestFacts(ClientSettings settings, Tokens tokens, ApiKeys keys) {
    this.settings = settings;
    this.forwardedFor = new ForwardedFor(settings.trustedProxies(), settings.trustedProxyDepth());
    this.apiKeyHeader = settings.apiKeyHeader().toLowerCase(Locale.ROOT);
    this.tokens = tokens;
    this.keys = keys;
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

  /** Whether the peer is a proxy whose word counts. */
  public boolean isTrustedProxy(@Nullable String peer) {
    return forwardedFor.isTrusted(peer);
  }

  private Client client(HttpRequest request) {
    Address address = forwardedFor.client(request.peer(), request.headers());
    Client client = address == null ? Client.unknown() : Client.at(address, settings.ipv6Prefix());
    ApiKeys.ApiKey key = apiKey(request.headers());
    Tokens.Holder holder = tokens.verify(bearerToken(request.headers()), client);
    Client known = withHolder(key == null ? client : withKey(client, key), holder);
    if (known.isUnknown()) {
      warnOfUnknownClients();
    }
    return known;
  }

  /** They may pass uncounted; the operator should hear of that, once. */
  private void warnOfUnknownClients() {
    if (!hasWarned.get() && hasWarned.compareAndSet(false, true)) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          "a request tells neither user nor key nor address; on_missing_client decides on it");
    }
  }

  /** What a token says of user and tier wins over what is known of a key. */
  private static Client withHolder(Client client, Tokens.@Nullable Holder holder) {
    if (holder == null) {
      return client;
    }
    Client known = client.withUser(holder.user());
    return holder.tier() == null ? known : known.withTier(holder.tier());
  }

  private static Client withKey(Client client, ApiKeys.ApiKey key) {
    Client known = client.withKey(key.id());
    known = key.user() == null ? known : known.withUser(key.user());
    known = key.tier() == null ? known : known.withTier(key.tier());
    return key.limits().isEmpty() ? known : known.withLimits(key.limits());
  }

  private ApiKeys.@Nullable ApiKey apiKey(Headers headers) {
    List<String> secrets = headers.values(apiKeyHeader);
    // Which of several keys a service behind would take is not known, so none counts.
    if (secrets.size() != 1 || secrets.get(0).length() > LONGEST_SECRET) {
      return null;
    }
    return secrets.get(0).isEmpty() ? null : keys.find(secrets.get(0));
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
