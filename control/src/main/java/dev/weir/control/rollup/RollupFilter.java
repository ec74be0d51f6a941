package dev.weir.control.rollup;

import dev.weir.control.query.Conditions;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which metrics are asked for. Null: anything; an empty text: what has none.
 *
 * @param from the earliest begin of a row
 * @param to the first begin that is too late
 */
public record RollupFilter(
    Granularity granularity,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable String endpoint,
    @Nullable String tier,
    @Nullable String rule,
    @Nullable String region) {

  /** All of a span of time. */
  public static RollupFilter of(
      Granularity granularity, @Nullable Instant from, @Nullable Instant to) {
    return new RollupFilter(granularity, from, to, null, null, null, null);
  }

  Conditions conditions() {
    return new Conditions()
        .is("granularity", "granularity", granularity.toString())
        .between("timestamp", from, to)
        .is("endpoint", "endpoint", endpoint)
        .is("tier", "tier", tier)
        .is("rule", "rule_name", rule)
        .is("region", "region", region);
  }
}
