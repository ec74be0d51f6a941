package dev.weir.policy.config;

import dev.weir.policy.PolicyDefinition;
import java.util.List;

/**
 * All that {@code weir.toml} and the environment say.
 *
 * @param policy what holds for requests
 * @param server where the service listens
 * @param counters where counts live
 * @param redis how Redis is reached
 * @param database how the database is reached
 * @param client how to find out who is asking
 * @param response what answers look like
 * @param envoy the rate limit service for Envoy
 * @param events which decisions are logged
 * @param audit which decisions are kept
 * @param traffic which requests are kept in memory for trying out rules
 * @param warnings what is not wrong, but perhaps not what was meant
 */
public record Config(
    PolicyDefinition policy,
    ServerSettings server,
    CounterSettings counters,
    RedisSettings redis,
    DatabaseSettings database,
    ClientSettings client,
    ResponseSettings response,
    EnvoySettings envoy,
    EventSettings events,
    AuditSettings audit,
    TrafficSettings traffic,
    List<String> warnings) {
  public Config {
    warnings = List.copyOf(warnings);
  }

  /** The same with another policy. */
  public Config withPolicy(PolicyDefinition other) {
    return new Config(
        other, server, counters, redis, database, client, response, envoy, events, audit, traffic,
        warnings);
  }
}
