package dev.weir.conformance;

import com.google.protobuf.ListValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import io.envoyproxy.envoy.config.core.v3.HeaderValue;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an answer has beside its codes, where the settings ask for it. */
record ModelExtras(Set<String> settings, Bug bug) {

  void add(
      RateLimitResponse.Builder response,
      RateLimitRequest request,
      List<ModelHit> hits,
      long nowSeconds) {
    ModelHit subject = subject(hits);
    if (settings.contains("response_headers") && subject != null && subject.limit() != null) {
      String prefix = settings.contains("header_names") ? "X-Conformance-" : "RateLimit-";
      Rate limit = subject.limit();
      long reset = limit.unit().untilReset(nowSeconds);
      response.addResponseHeadersToAdd(header(prefix + "Limit", limit.requestsPerUnit()));
      response.addResponseHeadersToAdd(header(prefix + "Remaining", subject.remaining));
      response.addResponseHeadersToAdd(header(prefix + "Reset", reset));
    }
    if (settings.contains("dynamic_metadata")) {
      response.setDynamicMetadata(struct(metadata(request, hits)));
    }
  }

  /** What the header fields speak of: a limit that refuses, else the one with least left. */
  private @Nullable ModelHit subject(List<ModelHit> hits) {
    ModelHit least = null;
    for (ModelHit hit : hits) {
      if (hit.limit() == null) {
        continue;
      }
      boolean isQuota = hit.isQuota() || settings.contains("quota_mode");
      if (hit.isOver && !hit.isShadow() && !isQuota && bug != Bug.HEADERS_OF_THE_FIRST) {
        return hit;
      }
      boolean isLess = least != null && hit.remaining < least.remaining;
      if (least == null || (isLess && bug != Bug.HEADERS_OF_THE_FIRST)) {
        least = hit;
      }
    }
    return least;
  }

  private static HeaderValue header(String key, long value) {
    return HeaderValue.newBuilder().setKey(key).setValue(Long.toString(value)).build();
  }

  private Map<String, Object> metadata(RateLimitRequest request, List<ModelHit> hits) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("domain", request.getDomain());
    all.put("descriptors", hits.stream().map(ModelExtras::describe).toList());
    if (request.getHitsAddend() != 0) {
      all.put("hitsAddend", Integer.toUnsignedLong(request.getHitsAddend()));
    }
    Map<String, Object> passed = new LinkedHashMap<>();
    for (ModelHit hit : hits) {
      if (hit.match != null && (!hit.isOver || hit.isShadow()) && !hit.isUnlimited()) {
        merge(passed, hit.match.rule().metadata);
      }
    }
    if (!passed.isEmpty()) {
      all.put("metadata", passed);
    }
    return all;
  }

  private static Map<String, Object> describe(ModelHit hit) {
    Map<String, Object> text = new LinkedHashMap<>();
    text.put(
        "entries",
        hit.descriptor.entries().stream().map(entry -> entry.key() + "=" + entry.value()).toList());
    if (hit.descriptor.override() != null) {
      text.put("limit", hit.descriptor.override().toString());
    }
    if (hit.descriptor.hits() != null) {
      text.put("hitsAddend", hit.descriptor.hits());
    }
    return text;
  }

  private void merge(Map<String, Object> into, Map<?, ?> from) {
    from.forEach(
        (name, value) -> {
          String key = name.toString();
          if (into.get(key) instanceof Map<?, ?> before && value instanceof Map<?, ?> more) {
            Map<String, Object> both = new LinkedHashMap<>();
            merge(both, before);
            merge(both, more);
            into.put(key, both);
          } else if (!into.containsKey(key) || bug == Bug.LATER_METADATA_WINS) {
            into.put(key, value);
          }
        });
  }

  private static Struct struct(Map<?, ?> map) {
    Struct.Builder struct = Struct.newBuilder();
    map.forEach((key, value) -> struct.putFields(key.toString(), value(value)));
    return struct.build();
  }

  private static Value value(@Nullable Object plain) {
    Value.Builder value = Value.newBuilder();
    if (plain instanceof Map<?, ?> map) {
      value.setStructValue(struct(map));
    } else if (plain instanceof List<?> list) {
      ListValue.Builder values = ListValue.newBuilder();
      list.forEach(each -> values.addValues(value(each)));
      value.setListValue(values);
    } else if (plain instanceof Number number) {
      value.setNumberValue(number.doubleValue());
    } else if (plain instanceof Boolean truth) {
      value.setBoolValue(truth);
    } else {
      value.setStringValue(String.valueOf(plain));
    }
    return value.build();
  }
}
