package dev.weir.server.envoy;

import dev.weir.envoy.api.RateLimitDescriptor.Entry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One descriptor of a configuration, with all below it. Immutable. */
final class Node {
  /** A descriptor whose value is a pattern. */
  private record Pattern(Glob glob, Node node) {}

  private final String key;
  private final String composite;
  private final boolean isShared;
  private final boolean hasValueInMetric;
  private final boolean isDetailed;
  private final @Nullable Rule rule;
  private final boolean isLeaf;
  private final NodeTable children;
  private final List<Pattern> patterns;

  /**
   * A node.
   *
   * @param rule what holds for requests that end here; null for none
   * @param children in the order of the files
   */
  Node(NodeDraft draft, @Nullable Rule rule, List<Node> children) {
    this.key = draft.key;
    this.composite = draft.composite;
    this.isShared = draft.isShared;
    this.hasValueInMetric = draft.hasValueInMetric;
    this.isDetailed = draft.isDetailed;
    this.rule = rule;
    this.isLeaf = children.isEmpty();
    this.children = new NodeTable(children);
    List<Pattern> found = new ArrayList<>();
    for (Node child : children) {
      if (child.composite.indexOf('*') >= 0) {
        found.add(new Pattern(new Glob(child.composite), child));
      }
    }
    this.patterns = List.copyOf(found);
  }

  /** The key, with {@code _} and the value if it has one. */
  String composite() {
    return composite;
  }

  @Nullable Rule rule() {
    return rule;
  }

  boolean isLeaf() {
    return isLeaf;
  }

  /** Whether all values that match have one counter. */
  boolean isShared() {
    return isShared;
  }

  /** Whether statistics tell all values of its requests apart. */
  boolean isDetailed() {
    return isDetailed;
  }

  /**
   * The node below for an entry: that of its key and value, else the first pattern that fits, else
   * that of its key alone. Whatever is found stays, also if it leads nowhere.
   */
  @Nullable Node child(String entryKey, String value) {
    Node exact = children.find(entryKey, value);
    if (exact != null) {
      return exact;
    }
    for (int i = 0; i < patterns.size(); i++) {
      Pattern pattern = patterns.get(i);
      if (pattern.glob.matches(entryKey, value)) {
        return pattern.node;
      }
    }
    return children.find(entryKey);
  }

  /**
   * Adds an entry that led here to the key of a counter. Values stand behind their length, so that
   * no two lists of values give one key. Those who share a threshold have no value. A pattern may
   * also stand for keys; a key that is not the node's own is told as well.
   */
  void appendTo(StringBuilder counterKey, Entry entry) {
    if (!entry.getKey().equals(key)) {
      counterKey.append(entry.getKey().length()).append('=').append(entry.getKey());
    }
    if (isShared) {
      counterKey.append('*');
    } else {
      counterKey.append(entry.getValue().length()).append(':').append(entry.getValue());
    }
  }

  /** Adds an entry that led here to the key of statistics. */
  void appendTo(StringBuilder statsKey, Entry entry, boolean withAllValues) {
    statsKey.append('.');
    boolean withValue = !isShared && (withAllValues || hasValueInMetric);
    if (!withValue) {
      statsKey.append(composite);
      return;
    }
    statsKey.append(entry.getKey());
    if (withAllValues || !entry.getValue().isEmpty()) {
      statsKey.append('_').append(entry.getValue());
    }
  }
}
