package dev.weir.control.rollup;

import dev.weir.policy.JsonText;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What happened from an instant on, for a minute, an hour or a day.
 *
 * @param endpoint empty in a row that is about caches only
 * @param tier empty: none
 * @param rule empty: none had a say
 * @param p50Micros null if no request was counted
 */
public record RollupRow(
    Instant timestamp,
    String endpoint,
    String tier,
    String rule,
    String region,
    long allowed,
    long throttled,
    long blocked,
    @Nullable Long p50Micros,
    @Nullable Long p95Micros,
    @Nullable Long p99Micros,
    long cacheHits,
    long cacheMisses) {

  /** How many requests there were. */
  public long total() {
    return allowed + throttled + blocked;
  }

  /** Adds its members, under the names of the columns. */
  public void writeTo(JsonText json) {
    json.put("timestamp", timestamp.toString())
        .put("endpoint", endpoint)
        .put("tier", tier)
        .put("rule_name", rule)
        .put("region", region)
        .put("total_requests", total())
        .put("allowed_requests", allowed)
        .put("throttled_requests", throttled)
        .put("blocked_requests", blocked)
        .putRaw("latency_p50_micros", String.valueOf(p50Micros))
        .putRaw("latency_p95_micros", String.valueOf(p95Micros))
        .putRaw("latency_p99_micros", String.valueOf(p99Micros))
        .put("cache_hits", cacheHits)
        .put("cache_misses", cacheMisses);
  }
}
