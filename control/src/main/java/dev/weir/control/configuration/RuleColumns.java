package dev.weir.control.configuration;

import dev.weir.policy.Cidr;
import dev.weir.policy.Conditions;
import dev.weir.policy.Refusal;
import dev.weir.policy.Rule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rules as rows. Four conditions have a column for one of their values; what else there is of these
 * and of the others is in {@code match_more}.
 */
final class RuleColumns implements Columns {
  static final RuleColumns INSTANCE = new RuleColumns();

  /** Longer ones go to {@code match_more}, which has no bound. */
  private static final int LONGEST_TIER = 255;

  private static final String MORE = "match_more";

  private RuleColumns() {}

  @Override
  public Map<String, @Nullable Object> of(Object meaning, Map<String, Object> document) {
    Rule rule = (Rule) meaning;
    Map<String, @Nullable Object> columns = new LinkedHashMap<>();
    columns.put("rule_name", rule.name());
    columns.put("priority", (long) rule.priority());
    putConditions(columns, rule.match());
    RuleLimits.put(columns, rule.limits());
    columns.put("scope", rule.scope().toString());
    columns.put("action", rule.action().toString());
    columns.put("final", rule.isFinal());
    columns.put("mode", rule.mode().toString());
    columns.put("failure_mode", rule.failureMode() == null ? null : rule.failureMode().toString());
    Refusal refusal = rule.refusal();
    columns.put(
        "response_status", refusal.status() == null ? null : (Object) refusal.status().longValue());
    columns.put("response_message", refusal.message());
    columns.put(
        "retry_after_seconds",
        refusal.retryAfter() == null ? null : refusal.retryAfter().toSeconds());
    columns.put("enabled", rule.isEnabled());
    return columns;
  }

  private static void putConditions(Map<String, @Nullable Object> columns, Conditions match) {
    Map<String, Object> more = new LinkedHashMap<>();
    boolean isTierShort =
        match.tiers().stream()
            .limit(1)
            .allMatch(tier -> !tier.isEmpty() && tier.length() <= LONGEST_TIER);
    if (isTierShort) {
      columns.put("user_tier", first(match.tiers()));
      putRest(more, "tier", match.tiers());
    } else {
      columns.put("user_tier", null);
      putAll(more, "tier", match.tiers());
    }
    columns.put("endpoint_pattern", first(match.paths()));
    putRest(more, "path", match.paths());
    columns.put("http_method", first(match.methods()));
    putRest(more, "method", match.methods());
    columns.put("ip_range", match.ips().isEmpty() ? null : range(match.ips().get(0)));
    putRest(more, "ip", match.ips());
    putAll(more, "endpoint", match.endpoints());
    putAll(more, "user", match.users());
    putAll(more, "key", match.keys());
    Map<String, Object> headers = new LinkedHashMap<>();
    match.headers().forEach((name, values) -> putAll(headers, name, values));
    if (!headers.isEmpty()) {
      more.put("header", headers);
    }
    columns.put(MORE, Documents.json(more));
  }

  /** As a range always, as H2 wants it and PostgreSQL shows it. */
  private static String range(Cidr ip) {
    return ip.network() + "/" + ip.prefix();
  }

  private static @Nullable String first(Collection<?> values) {
    return values.isEmpty() ? null : values.iterator().next().toString();
  }

  private static void putRest(Map<String, Object> more, String key, Collection<?> values) {
    putAll(more, key, values.stream().skip(1).toList());
  }

  private static void putAll(Map<String, Object> more, String key, Collection<?> values) {
    if (!values.isEmpty()) {
      more.put(key, values.stream().map(Object::toString).toList());
    }
  }

  @Override
  public Map<String, Object> document(Map<String, @Nullable Object> row) {
    Map<String, Object> document = new LinkedHashMap<>();
    Columns.put(document, "name", row, "rule_name");
    Columns.put(document, "priority", row, "priority");
    Map<String, Object> match = conditions(row);
    if (!match.isEmpty()) {
      document.put("match", match);
    }
    RuleLimits.addTo(document, row);
    Columns.put(document, "scope", row, "scope");
    Columns.put(document, "action", row, "action");
    Columns.put(document, "final", row, "final");
    Columns.put(document, "mode", row, "mode");
    Columns.put(document, "enabled", row, "enabled");
    Columns.put(document, "failure_mode", row, "failure_mode");
    Map<String, Object> response = new LinkedHashMap<>();
    Columns.put(response, "status", row, "response_status");
    Columns.put(response, "message", row, "response_message");
    Columns.put(response, "retry_after", row, "retry_after_seconds");
    if (!response.isEmpty()) {
      document.put("response", response);
    }
    return document;
  }

  /** In one order, whatever that of the database is. */
  private static Map<String, Object> conditions(Map<String, @Nullable Object> row) {
    Map<String, Object> more = Columns.object(row, MORE);
    Map<String, Object> match = new LinkedHashMap<>();
    Columns.putIfThere(match, "tier", joined(row.get("user_tier"), more.get("tier")));
    Columns.putIfThere(match, "endpoint", more.get("endpoint"));
    Columns.putIfThere(match, "path", joined(row.get("endpoint_pattern"), more.get("path")));
    Columns.putIfThere(match, "method", joined(row.get("http_method"), more.get("method")));
    Columns.putIfThere(match, "ip", joined(row.get("ip_range"), more.get("ip")));
    Columns.putIfThere(match, "user", more.get("user"));
    Columns.putIfThere(match, "key", more.get("key"));
    more.forEach(match::putIfAbsent);
    return match;
  }

  /** The value of a column and what there is besides, which may be one value by hand. */
  private static @Nullable Object joined(@Nullable Object one, @Nullable Object more) {
    if (one == null) {
      return more;
    }
    List<Object> values = new ArrayList<>();
    values.add(one);
    if (more instanceof Collection<?> several) {
      values.addAll(several);
    } else if (more != null) {
      values.add(more);
    }
    return values;
  }
}
