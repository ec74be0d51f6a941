package dev.weir.server.envoy;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitDescriptor.RateLimitOverride;
import dev.weir.envoy.api.RateLimitRequest;
import java.util.List;

/** What an answer tells about the request and the rules that let it pass. */
final class DynamicMetadata {
  private DynamicMetadata() {}

  static Struct of(RateLimitRequest request, List<Check> checks) {
    Struct.Builder all = Struct.newBuilder();
    all.putFields("domain", text(request.getDomain()));
    ListValue.Builder descriptors = ListValue.newBuilder();
    for (RateLimitDescriptor descriptor : request.getDescriptorsList()) {
      descriptors.addValues(Value.newBuilder().setStructValue(struct(descriptor)));
    }
    all.putFields("descriptors", Value.newBuilder().setListValue(descriptors).build());
    if (request.getHitsAddend() != 0) {
      all.putFields("hitsAddend", number(Integer.toUnsignedLong(request.getHitsAddend())));
    }
    Struct.Builder metadata = Struct.newBuilder();
    for (Check check : checks) {
      Rule rule = check.rule();
      if (rule != null && rule.metadata() != null && passes(check)) {
        merge(metadata, rule.metadata());
      }
    }
    if (metadata.getFieldsCount() > 0) {
      all.putFields("metadata", Value.newBuilder().setStructValue(metadata).build());
    }
    return all.build();
  }

  private static boolean passes(Check check) {
    return !check.isUnlimited() && !check.isRefused();
  }

  private static Struct struct(RateLimitDescriptor descriptor) {
    ListValue.Builder entries = ListValue.newBuilder();
    for (RateLimitDescriptor.Entry entry : descriptor.getEntriesList()) {
      entries.addValues(text(entry.getKey() + "=" + entry.getValue()));
    }
    Struct.Builder struct = Struct.newBuilder();
    struct.putFields("entries", Value.newBuilder().setListValue(entries).build());
    if (descriptor.hasLimit()) {
      struct.putFields("limit", text(shown(descriptor.getLimit())));
    }
    if (descriptor.hasHitsAddend()) {
      struct.putFields("hitsAddend", number(descriptor.getHitsAddend().getValue()));
    }
    return struct.build();
  }

  /** As Go writes such a message, without fields that are zero. */
  private static String shown(RateLimitOverride limit) {
    String requests =
        limit.getRequestsPerUnit() == 0
            ? ""
            : "requests_per_unit:" + Integer.toUnsignedString(limit.getRequestsPerUnit()) + " ";
    return requests + "unit:" + limit.getUnit();
  }

  /** What is there already stays; maps are merged. */
  private static void merge(Struct.Builder into, Struct more) {
    more.getFieldsMap()
        .forEach(
            (key, value) -> {
              Value known = into.getFieldsOrDefault(key, null);
              if (known == null) {
                into.putFields(key, value);
              } else if (known.hasStructValue() && value.hasStructValue()) {
                Struct.Builder both = known.getStructValue().toBuilder();
                merge(both, value.getStructValue());
                into.putFields(key, Value.newBuilder().setStructValue(both).build());
              }
            });
  }

  private static Value text(String text) {
    return Value.newBuilder().setStringValue(text).build();
  }

  /** Without a sign. */
  private static Value number(long number) {
    double value = Double.parseDouble(Long.toUnsignedString(number));
    return Value.newBuilder().setNumberValue(value).build();
  }
}
