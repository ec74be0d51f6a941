package dev.weir.conformance;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule that a descriptor meets.
 *
 * @param limit the limit that holds, or null where nothing is limited
 * @param rule what else is said of it; an empty node for an override
 * @param counter the name of the counter, without its window
 * @param metric the rule's name in statistics
 */
record ModelMatch(@Nullable Rate limit, ModelNode rule, String counter, String metric) {

  /** What the descriptor meets in a domain, or null. */
  static @Nullable ModelMatch find(ModelNode domain, Descriptor descriptor, Bug bug) {
    List<ModelNode> path = path(domain, descriptor.entries(), 0, bug);
    int depth = descriptor.entries().size();
    if ((path.size() != depth && bug != Bug.OUTER_LIMITS_APPLY) || path.isEmpty()) {
      return null;
    }
    ModelNode rule = path.get(path.size() - 1);
    if (!rule.hasLimit()) {
      return null;
    }
    StringBuilder counter = new StringBuilder(domain.key);
    StringBuilder metric = new StringBuilder(domain.key);
    for (int i = 0; i < path.size(); i++) {
      Descriptor.Entry entry = descriptor.entries().get(i);
      ModelNode node = path.get(i);
      boolean isShared = node.isShared && bug != Bug.NOTHING_IS_SHARED;
      String value = isShared ? node.value : entry.value();
      counter.append('|').append(entry.key()).append('=').append(value);
      boolean isDetailed = rule.isDetailed && bug != Bug.DETAILS_ARE_LOST;
      metric.append('.').append(metricName(node, entry, isDetailed));
    }
    return new ModelMatch(rule.limit, rule, counter.toString(), metric.toString());
  }

  /** What a limit that the caller brings along makes of it. */
  static ModelMatch override(ModelNode domain, Descriptor descriptor, Rate limit) {
    StringBuilder counter = new StringBuilder(domain.key);
    StringBuilder metric = new StringBuilder(domain.key);
    for (Descriptor.Entry entry : descriptor.entries()) {
      counter.append('|').append(entry.key()).append('=').append(entry.value());
      metric.append('.').append(entry.key());
      metric.append(entry.value().isEmpty() ? "" : "_" + entry.value());
    }
    return new ModelMatch(limit, new ModelNode("", ""), counter.toString(), metric.toString());
  }

  private static String metricName(ModelNode node, Descriptor.Entry entry, boolean isDetailed) {
    if (node.isShared) {
      return node.name();
    }
    boolean hasValue = isDetailed || node.isValueToMetric || !node.value.isEmpty();
    boolean isRuntime = isDetailed || node.isValueToMetric || !node.isPattern();
    String value = isRuntime ? entry.value() : node.value;
    return hasValue && !value.isEmpty() ? entry.key() + "_" + value : entry.key();
  }

  /** The nodes for the entries from this one on, as far as they go. */
  private static List<ModelNode> path(
      ModelNode parent, List<Descriptor.Entry> entries, int index, Bug bug) {
    if (index == entries.size()) {
      return List.of();
    }
    List<ModelNode> longest = List.of();
    for (ModelNode child : candidates(parent, entries.get(index), bug)) {
      List<ModelNode> path = new ArrayList<>();
      path.add(child);
      path.addAll(path(child, entries, index + 1, bug));
      if (path.size() > longest.size()) {
        longest = path;
      }
      if (bug != Bug.BACKTRACKING) {
        break;
      }
    }
    return longest;
  }

  /** The children that match an entry: by key and value, by pattern, by key alone. */
  private static List<ModelNode> candidates(ModelNode parent, Descriptor.Entry entry, Bug bug) {
    List<ModelNode> exact = new ArrayList<>();
    List<ModelNode> patterns = new ArrayList<>();
    List<ModelNode> keys = new ArrayList<>();
    for (ModelNode child : parent.children) {
      if (child.value.isEmpty()) {
        if (child.key.equals(entry.key())) {
          keys.add(child);
        }
      } else if (child.key.equals(entry.key()) && child.value.equals(entry.value())) {
        exact.add(child);
      } else if (child.isPattern() && matches(child.name(), entry.key() + "_" + entry.value())) {
        patterns.add(bug == Bug.LAST_PATTERN_WINS ? 0 : patterns.size(), child);
      }
    }
    List<ModelNode> all = new ArrayList<>(bug == Bug.PATTERNS_FIRST ? patterns : exact);
    all.addAll(bug == Bug.PATTERNS_FIRST ? exact : patterns);
    all.addAll(keys);
    return all;
  }

  /** Whether a text is like a pattern, found out the slow way. */
  private static boolean matches(String pattern, String text) {
    if (pattern.isEmpty()) {
      return text.isEmpty();
    }
    if (pattern.charAt(0) == '*') {
      return matches(pattern.substring(1), text)
          || (!text.isEmpty() && matches(pattern, text.substring(1)));
    }
    return !text.isEmpty()
        && pattern.charAt(0) == text.charAt(0)
        && matches(pattern.substring(1), text.substring(1));
  }
}
