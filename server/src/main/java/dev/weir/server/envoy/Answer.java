package dev.weir.server.envoy;

import com.google.protobuf.Duration;
import dev.weir.envoy.api.HeaderValue;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitResponse;
import dev.weir.envoy.api.RateLimitResponse.Code;
import dev.weir.envoy.api.RateLimitResponse.DescriptorStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the statuses of all descriptors come to: a request is over its limits if one of them is, or
 * if there are quotas and all of those are.
 *
 * @param request what was asked
 * @param checks what came of each descriptor, in their order
 * @param options what the answer tells
 */
record Answer(RateLimitRequest request, List<Check> checks, EnvoyOptions options) {
  private static final long MOST_REMAINING = 0xFFFF_FFFFL;

  private static final DescriptorStatus NO_LIMIT =
      DescriptorStatus.newBuilder().setCode(Code.OK).build();

  private static final DescriptorStatus UNLIMITED =
      NO_LIMIT.toBuilder().setLimitRemaining((int) MOST_REMAINING).build();

  RateLimitResponse write(EnvoyStats stats) {
    RateLimitResponse.Builder response = RateLimitResponse.newBuilder();
    boolean isRefused = false;
    int quotas = 0;
    int refusedQuotas = 0;
    for (int i = 0; i < checks.size(); i++) {
      Check check = checks.get(i);
      response.addStatuses(status(check));
      boolean isOver = check.isRefused();
      if (check.isQuota() && !check.isUnlimited()) {
        quotas++;
        refusedQuotas += isOver ? 1 : 0;
      } else {
        isRefused |= isOver;
      }
    }
    isRefused |= quotas > 0 && refusedQuotas == quotas;
    if (isRefused && options.shadowMode()) {
      stats.countGlobalShadowMode();
      isRefused = false;
    }
    response.setOverallCode(isRefused ? Code.OVER_LIMIT : Code.OK);
    options.responseHeaders().ifPresent(names -> addHeaders(response, names));
    if (options.dynamicMetadata()) {
      response.setDynamicMetadata(DynamicMetadata.of(request, checks));
    }
    return response.build();
  }

  private static DescriptorStatus status(Check check) {
    Rule rule = check.rule();
    if (rule == null || !check.isLimited()) {
      return check.isUnlimited() ? UNLIMITED : NO_LIMIT;
    }
    return DescriptorStatus.newBuilder()
        .setCode(check.isRefused() ? Code.OVER_LIMIT : Code.OK)
        .setCurrentLimit(rule.current())
        .setLimitRemaining((int) Math.min(check.remaining(), MOST_REMAINING))
        .setDurationUntilReset(Duration.newBuilder().setSeconds(check.resetSeconds()))
        .build();
  }

  private void addHeaders(RateLimitResponse.Builder response, EnvoyOptions.HeaderNames names) {
    Check told = told();
    if (told == null) {
      return;
    }
    RuleLimit limit = told.limit();
    response.addResponseHeadersToAdd(header(names.limit(), limit == null ? 0 : limit.capacity()));
    response.addResponseHeadersToAdd(header(names.remaining(), told.remaining()));
    response.addResponseHeadersToAdd(header(names.reset(), told.resetSeconds()));
  }

  /**
   * The last limit that refuses on its own, else the first of those with the least remaining. As in
   * envoyproxy/ratelimit, a limit with 2^32-1 remaining is not reported.
   */
  private @Nullable Check told() {
    Check told = null;
    long least = MOST_REMAINING;
    for (Check check : checks) {
      if (!check.isLimited()) {
        continue;
      }
      boolean refuses = check.isRefused() && !check.isQuota();
      if (refuses || check.remaining() < least) {
        told = check;
        least = refuses ? 0 : check.remaining();
      }
    }
    return told;
  }

  private static HeaderValue header(String name, long value) {
    return HeaderValue.newBuilder().setKey(name).setValue(Long.toString(value)).build();
  }
}
