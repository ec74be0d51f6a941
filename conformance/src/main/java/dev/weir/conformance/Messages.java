package dev.weir.conformance;

import com.google.protobuf.UInt64Value;
import com.google.protobuf.UnknownFieldSet;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import org.jspecify.annotations.Nullable;

/** The requests of the table as Envoy's messages. */
final class Messages {
  /** The number of {@code is_negative_hits}, which is younger than the messages at hand. */
  static final int IS_NEGATIVE_HITS = 4;

  private Messages() {}

  static RateLimitRequest request(Step.Ask ask) {
    RateLimitRequest.Builder request =
        RateLimitRequest.newBuilder().setDomain(ask.domain()).setHitsAddend((int) ask.hits());
    ask.descriptors().forEach(each -> request.addDescriptors(descriptor(each)));
    return request.build();
  }

  /** A request that counts nothing, for a key alone. */
  static RateLimitRequest look(String domain, String key) {
    return RateLimitRequest.newBuilder()
        .setDomain(domain)
        .addDescriptors(
            RateLimitDescriptor.newBuilder()
                .addEntries(RateLimitDescriptor.Entry.newBuilder().setKey(key))
                .setHitsAddend(UInt64Value.of(0)))
        .build();
  }

  private static RateLimitDescriptor descriptor(Descriptor descriptor) {
    RateLimitDescriptor.Builder message = RateLimitDescriptor.newBuilder();
    for (Descriptor.Entry entry : descriptor.entries()) {
      message.addEntries(
          RateLimitDescriptor.Entry.newBuilder().setKey(entry.key()).setValue(entry.value()));
    }
    @Nullable Long hits = descriptor.hits();
    if (hits != null) {
      message.setHitsAddend(UInt64Value.of(hits));
    }
    @Nullable Rate override = descriptor.override();
    if (override != null) {
      message.setLimit(
          RateLimitDescriptor.RateLimitOverride.newBuilder()
              .setRequestsPerUnit((int) override.requestsPerUnit())
              .setUnitValue(override.unit().number()));
    }
    if (descriptor.isNegative()) {
      message.setUnknownFields(
          UnknownFieldSet.newBuilder()
              .addField(IS_NEGATIVE_HITS, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
              .build());
    }
    return message.build();
  }
}
