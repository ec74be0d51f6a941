package dev.weir.server.envoy;

import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;

/** Reads lists of descriptors, and the lists in them. */
final class DescriptorReader {
  private final Reading reading;

  DescriptorReader(Reading reading) {
    this.reading = reading;
  }

  /**
   * Reads the descriptors of a map.
   *
   * @param parent where they are added
   * @param path the composite keys above, with dots between
   * @param depth 1 at the top
   */
  void read(YamlMap map, NodeDraft parent, String path, int depth) {
    if (depth > RequestBounds.MOST_ENTRIES && map.has("descriptors")) {
      report(
          map.at("descriptors"),
          "descriptors must not be nested deeper than "
              + RequestBounds.MOST_ENTRIES
              + " levels; no request has more entries");
      return;
    }
    for (MappingNode element : map.maps("descriptors")) {
      readOne(new YamlMap(element, reading), parent, path, depth);
    }
  }

  private void readOne(YamlMap map, NodeDraft parent, String path, int depth) {
    map.requireKeys(EnvoyKeys.DESCRIPTOR);
    NodeDraft draft = new NodeDraft(map.text("key"), map.text("value"));
    String ownPath = path + "." + draft.composite;
    if (draft.key.isEmpty()) {
      report(map.at("key"), "descriptor has empty key");
    } else if (parent.children.putIfAbsent(draft.composite, draft) != null) {
      report(map.at("key"), "duplicate descriptor composite key '" + ownPath + "'");
    }
    draft.isShadow = map.bool("shadow_mode");
    draft.isQuota = map.bool("quota_mode");
    draft.isDetailed = map.bool("detailed_metric");
    draft.hasValueInMetric = map.bool("value_to_metric");
    draft.isShared = map.bool("share_threshold");
    if (draft.isShared && !draft.isPattern()) {
      report(map.at("share_threshold"), "share_threshold can only be used with wildcard values");
    }
    readRateLimit(map, draft);
    readMetadata(map, draft);
    read(map, draft, ownPath, depth + 1);
  }

  private void readRateLimit(YamlMap map, NodeDraft draft) {
    YamlMap rateLimit = map.map("rate_limit");
    if (rateLimit != null) {
      draft.rule = new RateLimitReader(rateLimit, reading).read();
    }
  }

  private void readMetadata(YamlMap map, NodeDraft draft) {
    Node metadata = map.get("metadata");
    if (metadata instanceof MappingNode values) {
      draft.metadata = new MetadataReader(reading).struct(values);
    } else if (metadata != null) {
      report(metadata, "metadata must be a map, got " + YamlMap.shown(metadata));
    }
  }

  private void report(Node at, String problem) {
    reading.mistakes().report(at, problem);
  }
}
