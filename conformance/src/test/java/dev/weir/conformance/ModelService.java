package dev.weir.conformance;

import com.google.protobuf.Duration;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A slow, plain model of a rate limit service, written from the facts alone. The table is checked
 * against it, and it against the table.
 */
final class ModelService {
  private static final int MOST = -1;

  private final Set<String> settings;
  private final Clock clock;
  private final Bug bug;
  private final ModelCounters counters;
  private final ModelStats stats;
  private @Nullable ModelConfig config;

  ModelService(Set<String> settings, Clock clock, Bug bug) {
    this.settings = settings;
    this.clock = clock;
    this.bug = bug;
    counters = new ModelCounters(bug);
    stats = new ModelStats(bug);
  }

  ModelStats stats() {
    return stats;
  }

  void config(ModelConfig config) {
    this.config = config;
    if (bug == Bug.COUNTERS_END_WITH_FILES) {
      counters.clear();
    }
  }

  RateLimitResponse answer(RateLimitRequest request) {
    if (request.getDomain().isEmpty() && bug != Bug.EMPTY_DOMAINS_ARE_FINE) {
      throw error("rate limit domain must not be empty");
    }
    if (request.getDescriptorsCount() == 0) {
      throw error("rate limit descriptor list must not be empty");
    }
    if (config == null) {
      throw error("no rate limit configuration loaded");
    }
    List<ModelHit> hits = hits(request, config.domain(request.getDomain()));
    replace(hits);
    if (settings.contains("stop_when_over") && bug != Bug.NOTHING_STOPS) {
      stopWhenOver(hits);
    }
    hits.forEach(this::count);
    RateLimitResponse.Builder response =
        RateLimitResponse.newBuilder().setOverallCode(overall(hits));
    List<DescriptorStatus> statuses = new ArrayList<>(hits.stream().map(this::status).toList());
    if (bug == Bug.STATUSES_REVERSED) {
      Collections.reverse(statuses);
    }
    response.addAllStatuses(statuses);
    new ModelExtras(settings, bug).add(response, request, hits, clock.nowSeconds());
    return response.build();
  }

  private static RuntimeException error(String message) {
    return Status.UNKNOWN.withDescription(message).asRuntimeException();
  }

  private List<ModelHit> hits(RateLimitRequest request, @Nullable ModelNode domain) {
    List<ModelHit> hits = new ArrayList<>();
    for (RateLimitDescriptor message : request.getDescriptorsList()) {
      Descriptor descriptor = ModelHit.descriptor(message);
      hits.add(
          new ModelHit(
              descriptor, match(request, domain, descriptor), amount(request, descriptor)));
    }
    return hits;
  }

  private @Nullable ModelMatch match(
      RateLimitRequest request, @Nullable ModelNode domain, Descriptor descriptor) {
    ModelNode known = domain;
    if (known == null) {
      if (bug != Bug.OVERRIDES_EVERYWHERE || descriptor.override() == null) {
        return null;
      }
      known = new ModelNode(request.getDomain(), "");
    }
    Rate override = descriptor.override();
    if (override == null) {
      return ModelMatch.find(known, descriptor, bug);
    }
    if (override.unit() == Unit.UNKNOWN) {
      throw Status.INVALID_ARGUMENT.withDescription("limit.unit must be set").asRuntimeException();
    }
    return ModelMatch.override(known, descriptor, override);
  }

  private long amount(RateLimitRequest request, Descriptor descriptor) {
    Long own = bug == Bug.DESCRIPTOR_HITS_ARE_IGNORED ? null : descriptor.hits();
    if (own == null) {
      return Math.max(1, Integer.toUnsignedLong(request.getHitsAddend()));
    }
    return own == 0 && bug == Bug.ZERO_HITS_ARE_ONE ? 1 : own;
  }

  /** Drops the limits that others of the same request replace. */
  private void replace(List<ModelHit> hits) {
    Set<String> replaced = new HashSet<>();
    for (ModelHit hit : hits) {
      if (hit.match != null) {
        replaced.addAll(hit.match.rule().replaces);
      }
    }
    for (ModelHit hit : hits) {
      if (hit.limit() != null
          && replaced.contains(hit.limit().name())
          && bug != Bug.REPLACED_LIMITS_HOLD) {
        hit.match = null;
      }
    }
  }

  /** Counts only what would be over, if anything would. */
  private void stopWhenOver(List<ModelHit> hits) {
    List<ModelHit> over = new ArrayList<>();
    for (ModelHit hit : hits) {
      Rate limit = hit.limit();
      if (hit.match != null && limit != null && !hit.descriptor.isNegative()) {
        long count = counters.peek(hit.match.counter(), limit, clock.nowSeconds());
        if (count + hit.amount > limit.requestsPerUnit()) {
          over.add(hit);
        }
      }
    }
    for (ModelHit hit : hits) {
      if (!over.isEmpty() && !over.contains(hit) && !hit.descriptor.isNegative()) {
        hit.amount = 0;
      }
    }
  }

  private void count(ModelHit hit) {
    Rate limit = hit.limit();
    if (hit.match == null || limit == null) {
      return;
    }
    long amount = hit.descriptor.isNegative() ? -hit.amount : hit.amount;
    long after = counters.add(hit.match.counter(), limit, amount, clock.nowSeconds());
    long most = limit.requestsPerUnit() - (bug == Bug.OVER_AT_THE_LIMIT ? 1 : 0);
    hit.isOver =
        after > most && (!hit.descriptor.isNegative() || bug == Bug.NEGATIVE_HITS_CAN_BE_OVER);
    hit.remaining = hit.isOver ? 0 : Math.max(0, limit.requestsPerUnit() - after);
    if (hit.descriptor.isNegative()) {
      stats.negativeHits(hit.match.metric(), hit.amount);
    } else {
      boolean isShadow = hit.match.rule().isShadow;
      stats.hits(hit.match.metric(), limit.requestsPerUnit(), hit.amount, after, isShadow);
    }
  }

  private Code code(ModelHit hit) {
    return hit.isOver && (!hit.isShadow() || bug == Bug.SHADOWS_REFUSE) ? Code.OVER_LIMIT : Code.OK;
  }

  private DescriptorStatus status(ModelHit hit) {
    DescriptorStatus.Builder status = DescriptorStatus.newBuilder().setCode(code(hit));
    if (hit.isUnlimited()) {
      return status.setLimitRemaining(bug == Bug.UNLIMITED_REMAINS_NOTHING ? 0 : MOST).build();
    }
    Rate limit = hit.limit();
    if (limit == null) {
      return status.build();
    }
    long length = ModelCounters.seconds(limit.unit(), bug);
    return status
        .setCurrentLimit(
            RateLimitResponse.RateLimit.newBuilder()
                .setRequestsPerUnit((int) limit.requestsPerUnit())
                .setUnitValue(limit.unit().number())
                .setName(limit.name()))
        .setLimitRemaining((int) hit.remaining)
        .setDurationUntilReset(
            Duration.newBuilder().setSeconds(length - clock.nowSeconds() % length))
        .build();
  }

  private Code overall(List<ModelHit> hits) {
    int quotas = 0;
    int usedUp = 0;
    boolean isOver = false;
    for (ModelHit hit : hits) {
      boolean isQuota = hit.isQuota() || (settings.contains("quota_mode") && !hit.isUnlimited());
      boolean isRefused = code(hit) == Code.OVER_LIMIT;
      quotas += isQuota ? 1 : 0;
      usedUp += isQuota && isRefused ? 1 : 0;
      isOver |= isRefused && !isQuota;
    }
    boolean isOutOfQuota =
        quotas > 0 && (bug == Bug.ONE_QUOTA_REFUSES ? usedUp > 0 : usedUp == quotas);
    boolean isRefused = (isOver || isOutOfQuota) && !settings.contains("shadow_mode");
    return isRefused ? Code.OVER_LIMIT : Code.OK;
  }
}
