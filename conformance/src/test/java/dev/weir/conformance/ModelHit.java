package dev.weir.conformance;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A descriptor of a request on its way through the model. */
final class ModelHit {
  final Descriptor descriptor;
  @Nullable ModelMatch match;
  long amount;
  boolean isOver;
  long remaining;

  ModelHit(Descriptor descriptor, @Nullable ModelMatch match, long amount) {
    this.descriptor = descriptor;
    this.match = match;
    this.amount = amount;
  }

  static Descriptor descriptor(RateLimitDescriptor message) {
    List<Descriptor.Entry> entries =
        message.getEntriesList().stream()
            .map(entry -> new Descriptor.Entry(entry.getKey(), entry.getValue()))
            .toList();
    boolean isNegative =
        message.getUnknownFields().getField(Messages.IS_NEGATIVE_HITS).getVarintList().contains(1L);
    return new Descriptor(
        entries,
        message.hasHitsAddend() ? message.getHitsAddend().getValue() : null,
        isNegative,
        message.hasLimit() ? rate(message.getLimit()) : null);
  }

  private static Rate rate(RateLimitDescriptor.RateLimitOverride limit) {
    long requests = Integer.toUnsignedLong(limit.getRequestsPerUnit());
    return new Rate(requests, Unit.of(limit.getUnitValue()), "");
  }

  @Nullable Rate limit() {
    return match == null ? null : match.limit();
  }

  boolean isUnlimited() {
    return match != null && match.rule().isUnlimited;
  }

  boolean isShadow() {
    return match != null && match.rule().isShadow;
  }

  boolean isQuota() {
    return match != null && match.rule().isQuota && !isUnlimited();
  }
}
