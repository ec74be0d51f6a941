package dev.weir.control.audit;

import dev.weir.control.query.Conditions;
import dev.weir.control.query.InvalidQuery;
import dev.weir.policy.Address;
import dev.weir.policy.Outcome;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which decisions are asked for: those that hold all that is given. Null: anything.
 *
 * @param user such as {@code alice}
 * @param client such as {@code user:alice} or {@code ip:192.0.2.1}
 * @param key the id of an API key
 * @param ipAddress in whatever spelling
 * @param decision allowed, throttled or blocked
 * @param endpoint its name
 * @param rule its name as in answers
 * @param region where it was decided
 * @param from the earliest time
 * @param to the first time that is too late
 */
public record AuditFilter(
    @Nullable String user,
    @Nullable String client,
    @Nullable String key,
    @Nullable String ipAddress,
    @Nullable String decision,
    @Nullable String endpoint,
    @Nullable String rule,
    @Nullable String region,
    @Nullable Instant from,
    @Nullable Instant to) {
  private static final String USER = "user:";

  /** All decisions. */
  public static final AuditFilter ALL =
      new AuditFilter(null, null, null, null, null, null, null, null, null, null);

  /** Those of a user. */
  public AuditFilter withUser(String user) {
    return new AuditFilter(
        user, client, key, ipAddress, decision, endpoint, rule, region, from, to);
  }

  /** Those that were decided like that. */
  public AuditFilter withDecision(String decision) {
    return new AuditFilter(
        user, client, key, ipAddress, decision, endpoint, rule, region, from, to);
  }

  /** Those of a span of time. */
  public AuditFilter between(@Nullable Instant from, @Nullable Instant to) {
    return new AuditFilter(
        user, client, key, ipAddress, decision, endpoint, rule, region, from, to);
  }

  /**
   * As SQL.
   *
   * @throws InvalidQuery if nothing can ever hold it
   */
  Conditions conditions() {
    boolean isDecision =
        decision == null
            || Arrays.stream(Outcome.values()).anyMatch(each -> each.toString().equals(decision));
    if (!isDecision) {
      throw new InvalidQuery(
          "decision", "must be allowed, throttled or blocked, got \"%s\"".formatted(decision));
    }
    Conditions conditions =
        new Conditions()
            .is("user", "user_id", user)
            .is("client", "client", client)
            .is("key", "api_key_id", key)
            .is("ip", "ip_address", address())
            .is("decision", "decision", decision)
            .is("endpoint", "endpoint", endpoint)
            .is("rule", "rule_name", rule)
            .is("region", "region", region)
            .between("timestamp", from, to);
    if (user == null && client != null && client.startsWith(USER)) {
      // Says nothing new, but there is an index on it.
      conditions.is("client", "user_id", client.substring(USER.length()));
    }
    return conditions;
  }

  private @Nullable String address() {
    if (ipAddress == null) {
      return null;
    }
    Address address = Address.parseOrNull(ipAddress);
    if (address == null) {
      throw new InvalidQuery(
          "ip",
          "must be an address, for example 203.0.113.7 or 2001:db8::1, got \"%s\""
              .formatted(ipAddress));
    }
    return address.toString();
  }
}
