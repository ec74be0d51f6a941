package dev.weir.server.envoy;

import dev.weir.Period;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code rate_limit} says.
 *
 * @param isUnlimited whether everything passes
 * @param permits requests per unit; 0 lets nothing pass
 * @param span what they are for; null if unlimited
 * @param limit how it is counted; null if unlimited or nothing may pass
 * @param name empty for none
 * @param replaces the names of other rules
 */
record RuleDraft(
    boolean isUnlimited,
    long permits,
    Period.@Nullable Span span,
    @Nullable RuleLimit limit,
    String name,
    List<String> replaces) {}
