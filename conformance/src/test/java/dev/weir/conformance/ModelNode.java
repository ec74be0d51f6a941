package dev.weir.conformance;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One descriptor of a configuration, or a whole domain. */
final class ModelNode {
  final String key;

  /** Empty where the key alone counts. */
  final String value;

  final List<ModelNode> children = new ArrayList<>();
  @Nullable Rate limit;
  boolean isUnlimited;
  final Set<String> replaces = new LinkedHashSet<>();
  boolean isShadow;
  boolean isQuota;
  boolean isDetailed;
  boolean isValueToMetric;
  boolean isShared;
  Map<String, Object> metadata = Map.of();

  ModelNode(String key, String value) {
    this.key = key;
    this.value = value;
  }

  boolean isPattern() {
    return value.contains("*");
  }

  boolean hasLimit() {
    return limit != null || isUnlimited;
  }

  /** The key, with the value if it has one. */
  String name() {
    return value.isEmpty() ? key : key + "_" + value;
  }
}
