package dev.weir.policy;

import dev.weir.Penalty;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a policy down as the part of a {@code weir.toml} that says it. */
public final class PolicyText {
  private static final int VERSION_DIGITS = 12;

  private PolicyText() {}

  /** The text; reading it gives an equal definition. */
  public static String print(PolicyDefinition policy) {
    TomlText toml = new TomlText();
    toml.put("enabled", policy.isEnabled());
    if (policy.defaultTier() != null) {
      toml.put("default_tier", policy.defaultTier());
    }
    toml.table("counters")
        .put("failure_mode", policy.failureMode().toString())
        .put("local_nodes", policy.localNodes());
    toml.table("client").put("on_missing_client", policy.unknownClients().toString());
    toml.table("default").put("limit", policy.defaultLimit().toString());
    policy.tiers().forEach(tier -> print(tier, toml));
    policy.endpoints().forEach(endpoint -> print(endpoint, toml));
    policy.rules().forEach(rule -> print(rule, toml));
    print(policy.penalty(), toml);
    print(policy.exempt(), toml);
    return toml.toString();
  }

  /** Names what a policy says, however it is written down. */
  static String version(PolicyDefinition policy) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(print(CanonicalPolicy.of(policy)).getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, VERSION_DIGITS);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static void print(Tier tier, TomlText toml) {
    toml.element("tier").put("name", tier.name()).put("limit", tier.limit().toString());
    if (!tier.overrides().isEmpty()) {
      String overrides =
          tier.overrides().entrySet().stream()
              .map(entry -> TomlText.quoted(entry.getKey().toString()) + " = " + entry.getValue())
              .collect(Collectors.joining(", ", "{ ", " }"));
      toml.putRaw("endpoints", overrides);
    }
  }

  private static void print(Endpoint endpoint, TomlText toml) {
    toml.element("endpoint").put("name", endpoint.name()).put("paths", texts(endpoint.paths()));
    if (!endpoint.methods().isEmpty()) {
      toml.put("methods", endpoint.methods());
    }
    if (endpoint.limit() != null) {
      toml.put("limit", endpoint.limit().toString());
    }
    toml.put("scope", endpoint.scope().toString());
  }

  private static void print(Rule rule, TomlText toml) {
    toml.element("rule").put("name", rule.name()).put("priority", rule.priority());
    List<String> match = conditions(rule.match());
    if (!match.isEmpty()) {
      toml.putRaw("match", "{ " + String.join(", ", match) + " }");
    }
    if (!rule.limits().isEmpty()) {
      toml.put("limits", texts(rule.limits()));
    }
    toml.put("scope", rule.scope().toString())
        .put("action", rule.action().toString())
        .put("final", rule.isFinal())
        .put("mode", rule.mode().toString())
        .put("enabled", rule.isEnabled());
    if (rule.failureMode() != null) {
      toml.put("failure_mode", rule.failureMode().toString());
    }
    List<String> response = response(rule.refusal());
    if (!response.isEmpty()) {
      toml.putRaw("response", "{ " + String.join(", ", response) + " }");
    }
  }

  private static List<String> conditions(Conditions match) {
    List<String> parts = new ArrayList<>();
    add(parts, "tier", match.tiers());
    add(parts, "endpoint", match.endpoints());
    add(parts, "path", match.paths());
    add(parts, "method", match.methods());
    add(parts, "ip", match.ips());
    add(parts, "user", match.users());
    add(parts, "key", match.keys());
    match
        .headers()
        .forEach((name, values) -> add(parts, "header." + TomlText.quoted(name), values));
    return parts;
  }

  private static void add(List<String> parts, String key, Collection<?> values) {
    if (!values.isEmpty()) {
      parts.add(key + " = " + TomlText.array(texts(values)));
    }
  }

  private static List<String> response(Refusal refusal) {
    List<String> parts = new ArrayList<>();
    if (refusal.status() != null) {
      parts.add("status = " + refusal.status());
    }
    if (refusal.message() != null) {
      parts.add("message = " + TomlText.quoted(refusal.message()));
    }
    if (refusal.retryAfter() != null) {
      parts.add("retry_after = " + refusal.retryAfter().toSeconds());
    }
    return parts;
  }

  private static void print(@Nullable Penalty penalty, TomlText toml) {
    toml.table("penalty").put("enabled", penalty != null);
    if (penalty != null) {
      toml.put("detection_window", penalty.detectionWindow().toMillis() + "ms")
          .put("violation_threshold", penalty.violationThreshold())
          .putRaw("multipliers", penalty.multipliers().toString());
    }
  }

  private static void print(ClientSet exempt, TomlText toml) {
    exempt.ips().forEach(ip -> toml.element("exempt").put("ip", ip.toString()));
    exempt.users().forEach(user -> toml.element("exempt").put("user", user));
    exempt.keys().forEach(key -> toml.element("exempt").put("key", key));
  }

  private static List<String> texts(Collection<?> values) {
    List<String> texts = new ArrayList<>(values.size());
    for (Object value : values) {
      texts.add(value.toString());
    }
    return texts;
  }
}
