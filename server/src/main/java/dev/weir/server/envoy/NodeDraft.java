package dev.weir.server.envoy;

import com.google.protobuf.Struct;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A descriptor of a configuration that is being read; several files may add to one. */
final class NodeDraft {
  final String key;
  final String composite;

  /** By their composite keys, in the order of the files. */
  final Map<String, NodeDraft> children = new LinkedHashMap<>();

  @Nullable RuleDraft rule;
  @Nullable Struct metadata;
  boolean isShadow;
  boolean isQuota;
  boolean isDetailed;
  boolean hasValueInMetric;
  boolean isShared;

  /** A descriptor with that value; an empty one stands for all. */
  NodeDraft(String key, String value) {
    this.key = key;
    this.composite = value.isEmpty() ? key : key + "_" + value;
  }

  boolean isPattern() {
    return composite.indexOf('*') >= 0;
  }
}
