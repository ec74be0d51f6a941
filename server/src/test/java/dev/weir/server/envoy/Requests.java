package dev.weir.server.envoy;

import com.google.protobuf.UInt64Value;
import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitDescriptor.RateLimitOverride;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitUnit;
import java.util.List;

/** Makes requests. */
final class Requests {
  private Requests() {}

  static RateLimitRequest request(String domain, RateLimitDescriptor... descriptors) {
    return request(domain, 0, descriptors);
  }

  static RateLimitRequest request(String domain, int hits, RateLimitDescriptor... descriptors) {
    return RateLimitRequest.newBuilder()
        .setDomain(domain)
        .setHitsAddend(hits)
        .addAllDescriptors(List.of(descriptors))
        .build();
  }

  /** A descriptor of keys and values, in turn. */
  static RateLimitDescriptor descriptor(String... keysAndValues) {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      descriptor.addEntriesBuilder().setKey(keysAndValues[i]).setValue(keysAndValues[i + 1]);
    }
    return descriptor.build();
  }

  /** The same with hits of its own, without a sign. */
  static RateLimitDescriptor hits(long hits, RateLimitDescriptor descriptor) {
    return descriptor.toBuilder().setHitsAddend(UInt64Value.of(hits)).build();
  }

  static RateLimitDescriptor negative(long hits, RateLimitDescriptor descriptor) {
    return hits(hits, descriptor).toBuilder().setIsNegativeHits(true).build();
  }

  static RateLimitDescriptor override(
      int requestsPerUnit, RateLimitUnit unit, RateLimitDescriptor descriptor) {
    return descriptor.toBuilder()
        .setLimit(RateLimitOverride.newBuilder().setRequestsPerUnit(requestsPerUnit).setUnit(unit))
        .build();
  }
}
