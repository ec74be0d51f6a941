package dev.weir.spring.actuate;

import dev.weir.LimitStatus;
import dev.weir.policy.Client;
import dev.weir.policy.Endpoint;
import dev.weir.policy.MalformedRequestException;
import dev.weir.policy.NamedLimits;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Rule;
import dev.weir.policy.Tier;
import dev.weir.policy.Usage;
import dev.weir.spring.RateLimit;
import dev.weir.spring.RateLimits;
import dev.weir.spring.method.LimitedMethod;
import dev.weir.spring.method.LimitedMethods;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The policy that holds, the methods that are limited, and what a client has used: read, and set
 * back. Clients are named as in answers and logs: {@code user:alice}, {@code key:…}, {@code
 * ip:192.0.2.1}.
 */
@org.springframework.boot.actuate.endpoint.annotation.Endpoint(id = "ratelimit")
public final class RateLimitEndpoint {
  private final RateLimits limits;
  private final @Nullable LimitedMethods methods;

  RateLimitEndpoint(RateLimits limits, @Nullable LimitedMethods methods) {
    this.limits = limits;
    this.methods = methods;
  }

  /** The policy and the methods. */
  @ReadOperation
  public Map<String, Object> policy() {
    PolicyDefinition policy = limits.gate().policy().definition();
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("version", limits.gate().policy().version());
    shown.put("source", limits.source());
    shown.put("enabled", policy.isEnabled());
    shown.put("counters", limits.config().counters().backend().toString());
    shown.put("failureMode", policy.failureMode().toString());
    shown.put("default", policy.defaultLimit().toString());
    shown.put("tiers", policy.tiers().stream().map(RateLimitEndpoint::shown).toList());
    shown.put("endpoints", policy.endpoints().stream().map(RateLimitEndpoint::shown).toList());
    shown.put("rules", policy.rules().stream().map(RateLimitEndpoint::shown).toList());
    shown.put(
        "methods",
        methods == null
            ? List.of()
            : methods.all().stream().map(RateLimitEndpoint::shown).toList());
    String problem = limits.problem();
    if (problem != null) {
      shown.put("problem", problem);
    }
    return shown;
  }

  private static Map<String, Object> shown(Tier tier) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", tier.name());
    shown.put("limit", tier.limit().toString());
    if (!tier.overrides().isEmpty()) {
      Map<String, Object> overrides = new LinkedHashMap<>();
      tier.overrides().forEach((path, permits) -> overrides.put(path.toString(), permits));
      shown.put("endpoints", overrides);
    }
    return shown;
  }

  private static Map<String, Object> shown(Endpoint endpoint) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", endpoint.name());
    shown.put("paths", endpoint.paths().stream().map(Object::toString).toList());
    if (endpoint.limit() != null) {
      shown.put("limit", endpoint.limit().toString());
    }
    shown.put("scope", endpoint.scope().toString());
    return shown;
  }

  private static Map<String, Object> shown(Rule rule) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", rule.name());
    shown.put("priority", rule.priority());
    shown.put("limits", rule.limits().stream().map(Object::toString).toList());
    shown.put("scope", rule.scope().toString());
    shown.put("action", rule.action().toString());
    shown.put("mode", rule.mode().toString());
    shown.put("enabled", rule.isEnabled());
    return shown;
  }

  private static Map<String, Object> shown(LimitedMethod method) {
    RateLimit annotation = method.annotation();
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", method.name());
    if (annotation.rule().isEmpty()) {
      shown.put("limits", List.of(annotation.value()));
    } else {
      shown.put("rule", annotation.rule());
    }
    shown.put("cost", annotation.cost());
    putIfAny(shown, "key", annotation.key());
    putIfAny(shown, "fallback", annotation.fallback());
    return shown;
  }

  private static void putIfAny(Map<String, Object> shown, String key, String value) {
    if (!value.isEmpty()) {
      shown.put(key, value);
    }
  }

  private List<NamedLimits> limitsOfMethods() {
    return methods == null
        ? List.of()
        : methods.all().stream().map(LimitedMethod::ownLimits).flatMap(Stream::ofNullable).toList();
  }

  /** What a client has used. */
  @ReadOperation
  public Map<String, Object> counters(@Selector String client) {
    Usage usage = joined(limits.gate().usage(named(client), limitsOfMethods()));
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("client", usage.client());
    shown.put("penalty", usage.penaltySeconds());
    shown.put("counters", usage.used().stream().map(RateLimitEndpoint::shown).toList());
    return shown;
  }

  private static Map<String, Object> shown(LimitStatus status) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("counter", status.name());
    shown.put("limit", status.limit().capacity());
    shown.put("algorithm", status.limit().algorithm().toString());
    shown.put("used", status.limit().capacity() - status.remaining());
    shown.put("remaining", status.remaining());
    shown.put("reset", -Math.floorDiv(-status.resetMicros(), 1_000_000L));
    return shown;
  }

  /** Forgets what a client has used. */
  @DeleteOperation
  public Map<String, Object> reset(@Selector String client) {
    Client named = named(client);
    joined(limits.gate().reset(named, limitsOfMethods()).thenApply(done -> true));
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("client", named.id());
    shown.put("reset", true);
    return shown;
  }

  private Client named(String name) {
    try {
      return limits.named(name);
    } catch (MalformedRequestException wrong) {
      String reason = String.valueOf(wrong.getMessage());
      throw new InvalidEndpointRequestException(reason, reason);
    }
  }

  /** Waits, which only operators do. */
  private static <T> T joined(CompletionStage<T> work) {
    try {
      return work.toCompletableFuture().join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }
}
