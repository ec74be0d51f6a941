package dev.weir.server.envoy;

import com.google.protobuf.Struct;
import dev.weir.envoy.api.RateLimitResponse.RateLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What holds for a descriptor: a rule of the configuration, or a limit that the caller brought
 * along. Everything that a decision needs is made beforehand.
 *
 * @param name by which other rules can replace it; empty for none
 * @param replaces the names of rules that do not hold for requests for which this one does
 * @param isUnlimited whether everything passes, uncounted
 * @param isShadow whether it is counted and never refuses
 * @param isQuota whether it refuses only together with all other quotas of the request
 * @param limit how much may pass; null if it is unlimited or nothing may
 * @param spanMicros what the limit is for; 0 if it is unlimited
 * @param current the limit as answers tell it
 * @param counter the name of its counters; from configuration only
 * @param metadata what answers tell if it lets pass; null for none
 * @param stats where hits are counted, unless what the request brought along is to be told apart
 * @param tellsValuesApart whether statistics depend on what the request brings along
 */
record Rule(
    String name,
    List<String> replaces,
    boolean isUnlimited,
    boolean isShadow,
    boolean isQuota,
    @Nullable RuleLimit limit,
    long spanMicros,
    RateLimit current,
    String counter,
    @Nullable Struct metadata,
    RuleStats stats,
    boolean tellsValuesApart) {

  /** A limit that the caller brought along. */
  static Rule override(
      long permits, LimitUnit unit, RateLimit current, String counter, RuleStats stats) {
    return new Rule(
        "",
        List.of(),
        /* isUnlimited= */ false,
        /* isShadow= */ false,
        /* isQuota= */ false,
        permits == 0 ? null : RuleLimit.countingOn(permits, unit.span()),
        unit.span().micros(),
        current,
        counter,
        null,
        stats,
        /* tellsValuesApart= */ false);
  }

  /** Whether it counts as envoyproxy/ratelimit does, in windows of that unit. */
  boolean countsOnIn(LimitUnit unit) {
    return limit != null && limit.countsOn() && spanMicros == unit.span().micros();
  }
}
