package dev.weir.spring;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * All that can be said about rate limiting in the properties of an application. What {@code
 * weir.toml} knows has the same names here, with hyphens, and is held to the same rules.
 *
 * @param enabled Whether requests are limited at all.
 * @param requestsPerMinute How many requests a client may send in a window, where no other limit
 *     holds.
 * @param windowDurationMs How long a window is, in milliseconds.
 * @param config A weir.toml that says what else would be said here. It is read again when it
 *     changes.
 * @param defaultTier The tier of clients that name none.
 * @param filter How requests over HTTP are limited.
 * @param annotations How methods with {@code @RateLimit} are limited.
 * @param standard The limit where no other one holds, in place of requests-per-minute.
 * @param tier Tiers of clients and their limits.
 * @param endpoint Groups of paths and their limits.
 * @param rule Rules, by descending priority.
 * @param penalty Longer waits for clients that are refused again and again.
 * @param exempt Clients that are never limited.
 * @param counters Where counts live.
 * @param redis The Redis that counts live on.
 * @param client How clients are told apart.
 * @param response What clients are told.
 * @param events Which decisions are logged.
 * @param server What this instance is called.
 */
@ConfigurationProperties(prefix = RateLimitProperties.PREFIX, ignoreUnknownFields = false)
public record RateLimitProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable Long requestsPerMinute,
    @Nullable Long windowDurationMs,
    @Nullable String config,
    @Nullable String defaultTier,
    @DefaultValue Filter filter,
    @DefaultValue Annotations annotations,
    @Name("default") @Nullable DefaultLimit standard,
    @Nullable List<TierProperties> tier,
    @Nullable List<EndpointProperties> endpoint,
    @Nullable List<RuleProperties> rule,
    @Nullable PenaltyProperties penalty,
    @Nullable List<ExemptProperties> exempt,
    @Nullable Counters counters,
    @Nullable Redis redis,
    @Nullable ClientProperties client,
    @Nullable Response response,
    @Nullable Events events,
    @Nullable Server server) {

  /** What the names of all properties start with. */
  public static final String PREFIX = "ratelimit";

  /** Who names a Redis wants to use it. */
  public RateLimitProperties {
    boolean hasUrl = redis != null && redis.url() != null;
    if (hasUrl && (counters == null || counters.backend() == null)) {
      counters = Counters.onRedis(counters);
    }
  }

  /**
   * How requests over HTTP are limited.
   *
   * @param enabled Whether requests over HTTP are limited. If not, annotated methods still are.
   * @param order Where in the chain of filters requests are decided.
   * @param authenticatedOrder Where users are known who were authenticated by Spring Security. It
   *     has to be behind Spring Security's own filter.
   */
  public record Filter(
      @DefaultValue("true") boolean enabled,
      @DefaultValue("-2147483548") int order,
      @DefaultValue("-50") int authenticatedOrder) {}

  /**
   * How methods with {@code @RateLimit} are limited.
   *
   * @param enabled Whether they are limited.
   */
  public record Annotations(@DefaultValue("true") boolean enabled) {}

  /**
   * The limit where no other one holds.
   *
   * @param limit How many requests in a window, or a whole limit such as 100/m burst 20.
   * @param window How long a window is: 250ms, 60s, 10m, 1h, day, week or month.
   * @param algorithm How it is counted: token_bucket, fixed_window, sliding_window or sliding_log.
   * @param burst How many at once; for token_bucket.
   * @param align Where windows start: epoch or first_request; for fixed_window.
   * @param zone The time zone of days, weeks and months.
   */
  public record DefaultLimit(
      @Nullable String limit,
      @Nullable String window,
      @Nullable String algorithm,
      @Nullable Long burst,
      @Nullable String align,
      @Nullable String zone) {}

  /**
   * A tier of clients.
   *
   * @param name What tokens, keys and rules call it.
   * @param limit How many requests in a window, or a whole limit such as 100/m burst 20.
   * @param window How long a window is: 250ms, 60s, 10m, 1h, day, week or month.
   * @param algorithm How it is counted: token_bucket, fixed_window, sliding_window or sliding_log.
   * @param burst How many at once; for token_bucket.
   * @param align Where windows start: epoch or first_request; for fixed_window.
   * @param zone The time zone of days, weeks and months.
   * @param endpoints Stricter limits, by patterns of paths.
   */
  public record TierProperties(
      @Nullable String name,
      @Nullable String limit,
      @Nullable String window,
      @Nullable String algorithm,
      @Nullable Long burst,
      @Nullable String align,
      @Nullable String zone,
      @Nullable Map<String, Long> endpoints) {}

  /**
   * A group of paths.
   *
   * @param name What rules call it.
   * @param paths Patterns of paths: /a/* is one segment, /a/** any depth.
   * @param methods Methods; none: all.
   * @param limit How many requests in a window, or a whole limit such as 100/m burst 20.
   * @param window How long a window is: 250ms, 60s, 10m, 1h, day, week or month.
   * @param algorithm How it is counted: token_bucket, fixed_window, sliding_window or sliding_log.
   * @param burst How many at once; for token_bucket.
   * @param align Where windows start: epoch or first_request; for fixed_window.
   * @param zone The time zone of days, weeks and months.
   * @param scope Who is counted together: client, user, key, ip, tier or global.
   */
  public record EndpointProperties(
      @Nullable String name,
      @Nullable List<String> paths,
      @Nullable List<String> methods,
      @Nullable String limit,
      @Nullable String window,
      @Nullable String algorithm,
      @Nullable Long burst,
      @Nullable String align,
      @Nullable String zone,
      @Nullable String scope) {}

  /**
   * A rule.
   *
   * @param name What answers and logs call it.
   * @param priority Rules of higher priority come first.
   * @param match What a request has to be for the rule to hold.
   * @param limits Limits such as 100/s, applied all or none.
   * @param algorithm How limits are counted that do not say it: token_bucket, fixed_window,
   *     sliding_window or sliding_log.
   * @param burst How many at once; for token_bucket.
   * @param scope Who is counted together: client, user, key, ip, tier or global.
   * @param action What it does: throttle, block or allow.
   * @param isFinal Whether no further rule is looked at.
   * @param mode enforce, or shadow: it is counted and reported, and refuses nothing.
   * @param failureMode What it does while counters cannot be reached: open, closed or local.
   * @param response What is answered.
   * @param enabled Whether it holds.
   */
  public record RuleProperties(
      @Nullable String name,
      @Nullable Integer priority,
      @Nullable Match match,
      @Nullable List<String> limits,
      @Nullable String algorithm,
      @Nullable Long burst,
      @Nullable String scope,
      @Nullable String action,
      @Name("final") @Nullable Boolean isFinal,
      @Nullable String mode,
      @Nullable String failureMode,
      @Nullable RuleResponse response,
      @Nullable Boolean enabled) {}

  /**
   * What a request has to be. All that is given has to hold.
   *
   * @param tier Tiers.
   * @param endpoint Endpoints by their names.
   * @param path Patterns of paths.
   * @param method Methods.
   * @param ip Addresses and networks such as 10.0.0.0/8.
   * @param user Users.
   * @param key API keys by their ids.
   * @param header Values of header fields, by the names of these.
   */
  public record Match(
      @Nullable List<String> tier,
      @Nullable List<String> endpoint,
      @Nullable List<String> path,
      @Nullable List<String> method,
      @Nullable List<String> ip,
      @Nullable List<String> user,
      @Nullable List<String> key,
      @Nullable Map<String, List<String>> header) {}

  /**
   * What a rule answers.
   *
   * @param status The status of a refusal, from 400 to 599.
   * @param message The message of a refusal.
   * @param retryAfter When to come again, at least.
   */
  public record RuleResponse(
      @Nullable Integer status, @Nullable String message, @Nullable String retryAfter) {}

  /**
   * Longer waits for clients that are refused again and again.
   *
   * @param enabled Whether there are any.
   * @param detectionWindow For how long refusals are remembered.
   * @param violationThreshold From how many refusals on.
   * @param multipliers Of the window that refused, for that many refusals and each one more.
   */
  public record PenaltyProperties(
      @Nullable Boolean enabled,
      @Nullable String detectionWindow,
      @Nullable Integer violationThreshold,
      @Nullable List<Integer> multipliers) {}

  /**
   * Clients that are never limited.
   *
   * @param ip Addresses and networks such as 10.1.0.0/16.
   * @param user Users.
   * @param key API keys by their ids.
   */
  public record ExemptProperties(
      @Nullable List<String> ip, @Nullable List<String> user, @Nullable List<String> key) {}

  /**
   * Where counts live.
   *
   * @param backend memory or redis. By default redis if there is a ratelimit.redis.url, else
   *     memory.
   * @param maxKeys How many clients have a counter of their own, for each limit; in memory.
   * @param failureMode What holds while Redis cannot answer: open, closed or local.
   * @param localNodes In local mode each instance grants its part of that many.
   */
  public record Counters(
      @Nullable String backend,
      @Nullable Long maxKeys,
      @Nullable String failureMode,
      @Nullable Integer localNodes) {
    private static Counters onRedis(@Nullable Counters before) {
      return before == null
          ? new Counters("redis", null, null, null)
          : new Counters("redis", before.maxKeys, before.failureMode, before.localNodes);
    }
  }

  /**
   * The Redis that counts live on.
   *
   * @param url redis://host:port/database, rediss:// for TLS. By default that of the application's
   *     own connection to Redis.
   * @param topology single, sentinel, cluster or ring.
   * @param nodes Members, as host:port.
   * @param master The name of the master that sentinels watch.
   * @param commandTimeout How long a decision is waited for.
   * @param connectTimeout How long a connection may take.
   * @param keyPrefix What the names of all keys start with.
   */
  public record Redis(
      @Nullable String url,
      @Nullable String topology,
      @Nullable List<String> nodes,
      @Nullable String master,
      @Nullable String commandTimeout,
      @Nullable String connectTimeout,
      @Nullable String keyPrefix) {}

  /**
   * How clients are told apart.
   *
   * @param trustedProxies Networks of proxies whose X-Forwarded-For counts.
   * @param trustedProxyDepth How many of them there are at most, one behind the other.
   * @param ipv6Prefix How many bits of an IPv6 address name a client.
   * @param apiKeyHeader The header field of API keys.
   * @param userClaim The claim of a token that names the user.
   * @param tierClaim The claim of a token that names the tier.
   * @param jwtSecret The secret of tokens that are signed with HS256, HS384 or HS512.
   * @param jwtJwks The public keys of tokens: a file, or a URL.
   * @param onMissingClient What holds for requests that tell nothing: allow or block.
   */
  public record ClientProperties(
      @Nullable List<String> trustedProxies,
      @Nullable Integer trustedProxyDepth,
      @Nullable Integer ipv6Prefix,
      @Nullable String apiKeyHeader,
      @Nullable String userClaim,
      @Nullable String tierClaim,
      @Nullable String jwtSecret,
      @Nullable String jwtJwks,
      @Nullable String onMissingClient) {}

  /**
   * What clients are told.
   *
   * @param headers Which families of header fields: x-ratelimit, ietf.
   * @param headerPrefix What the names of the first family start with.
   * @param body The form of a refusal: json or problem.
   */
  public record Response(
      @Nullable List<String> headers, @Nullable String headerPrefix, @Nullable String body) {}

  /**
   * Which decisions are logged, one JSON object a line.
   *
   * @param log Which ones: allowed, throttled, blocked, backend_error. By default none.
   * @param sample Which part of them, from 0 to 1.
   * @param file Where to; by default the standard output.
   */
  public record Events(
      @Nullable List<String> log, @Nullable Double sample, @Nullable String file) {}

  /**
   * What this instance is called in logs.
   *
   * @param id The name of the instance; by default that of the machine.
   * @param region Where it is.
   */
  public record Server(@Nullable String id, @Nullable String region) {}
}
