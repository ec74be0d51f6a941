package dev.weir.server.envoy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A map of a YAML file. Values are read as they are wanted; one that is wrong is reported and
 * counts as absent. {@code <<} brings in another map, whose values hold where this one has none.
 */
final class YamlMap {
  private static final String MERGE = "<<";
  private static final int MOST_MERGES = 20;
  private static final int SHOWN = 80;

  /** What YAML 1.1 takes for true and for false. */
  private static final Set<String> YES =
      Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");

  private static final Set<String> NO =
      Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");

  private final MappingNode node;
  private final Reading reading;
  private final Map<String, NodeTuple> entries = new LinkedHashMap<>();

  YamlMap(MappingNode node, Reading reading) {
    this.node = node;
    this.reading = reading;
    add(node, 0);
  }

  private void add(MappingNode map, int merges) {
    Map<String, NodeTuple> own = new LinkedHashMap<>();
    for (NodeTuple entry : map.getValue()) {
      reading.visit(entry.getKeyNode());
      if (!(entry.getKeyNode() instanceof ScalarNode key) || !key.getTag().equals(Tag.STR)) {
        reading.mistakes().report(entry.getKeyNode(), "config error, key is not of type string");
      } else if (own.put(key.getValue(), entry) != null) {
        reading.mistakes().report(key, "config error, duplicate key '" + key.getValue() + "'");
      }
    }
    NodeTuple merge = own.remove(MERGE);
    own.forEach(entries::putIfAbsent);
    if (merge != null) {
      merge(merge.getValueNode(), merges + 1);
    }
  }

  private void merge(Node source, int merges) {
    List<Node> sources =
        source instanceof SequenceNode list ? list.getValue() : List.<Node>of(source);
    for (Node each : sources) {
      if (each instanceof MappingNode map && merges <= MOST_MERGES) {
        add(map, merges);
      } else {
        reading.mistakes().report(each, "<< must be a map or a list of maps, got " + shown(each));
      }
    }
  }

  /** Reports keys that mean nothing, or nothing here. */
  void requireKeys(Set<String> known) {
    for (NodeTuple entry : entries.values()) {
      String key = ((ScalarNode) entry.getKeyNode()).getValue();
      if (known.contains(key)) {
        continue;
      }
      String place = EnvoyKeys.placeOf(key);
      reading
          .mistakes()
          .report(
              entry.getKeyNode(),
              place == null
                  ? "config error, unknown key '" + key + "'"
                  : "config error, key '" + key + "' means nothing here; it belongs into " + place);
    }
  }

  /** The map itself, for mistakes that are about no value of it. */
  Node node() {
    return node;
  }

  /** Where a mistake about that key is: its value, or the map if it is absent. */
  Node at(String key) {
    NodeTuple entry = entries.get(key);
    return entry == null ? node : entry.getValueNode();
  }

  /** The value; null if it is absent or null. */
  @Nullable Node get(String key) {
    NodeTuple entry = entries.get(key);
    if (entry == null || entry.getValueNode().getTag().equals(Tag.NULL)) {
      return null;
    }
    reading.visit(entry.getValueNode());
    return entry.getValueNode();
  }

  boolean has(String key) {
    return get(key) != null;
  }

  /** A text, also one that looks like a number; empty if it is absent. */
  String text(String key) {
    Node value = get(key);
    if (value == null) {
      return "";
    }
    if (value instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    reading.mistakes().report(value, key + " must be a text, got " + shown(value));
    return "";
  }

  boolean bool(String key) {
    Node value = get(key);
    Boolean bool = value == null ? Boolean.FALSE : boolOf(value);
    if (bool == null) {
      reading.mistakes().report(at(key), key + " must be true or false, got " + shown(at(key)));
      return false;
    }
    return bool;
  }

  /** True or false as YAML 1.1 writes them; null for anything else. */
  static @Nullable Boolean boolOf(Node value) {
    if (!(value instanceof ScalarNode scalar) || scalar.getScalarStyle() != ScalarStyle.PLAIN) {
      return null;
    }
    if (YES.contains(scalar.getValue())) {
      return Boolean.TRUE;
    }
    return NO.contains(scalar.getValue()) ? Boolean.FALSE : null;
  }

  /** A whole number; 0 if it is absent, and if it is wrong, which is reported. */
  long integer(String key, long least, long most) {
    Node value = get(key);
    if (value == null) {
      return 0;
    }
    try {
      if (value instanceof ScalarNode scalar && scalar.getScalarStyle() == ScalarStyle.PLAIN) {
        long number = Long.decode(scalar.getValue().replace("_", ""));
        if (number >= least && number <= most) {
          return number;
        }
      }
    } catch (NumberFormatException none) {
      // Said below.
    }
    reading
        .mistakes()
        .report(
            value,
            "%s must be a whole number from %d to %d, got %s"
                .formatted(key, least, most, shown(value)));
    return 0;
  }

  /** A map inside this one; null if it is absent or none, which is reported. */
  @Nullable YamlMap map(String key) {
    Node value = get(key);
    if (value == null || value instanceof MappingNode) {
      return value == null ? null : new YamlMap((MappingNode) value, reading);
    }
    reading.mistakes().report(value, key + " must be a map, got " + shown(value));
    return null;
  }

  /** The maps of a list; empty if it is absent. What is no map is reported and left out. */
  List<MappingNode> maps(String key) {
    Node value = get(key);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof SequenceNode list)) {
      reading.mistakes().report(value, key + " must be a list of maps, got " + shown(value));
      return List.of();
    }
    for (Node element : list.getValue()) {
      reading.visit(element);
      if (!(element instanceof MappingNode)) {
        reading.mistakes().report(element, "yaml file contains list of type other than map");
      }
    }
    return list.getValue().stream()
        .filter(MappingNode.class::isInstance)
        .map(MappingNode.class::cast)
        .toList();
  }

  /** As it is shown in mistakes. */
  static String shown(Node value) {
    if (value instanceof ScalarNode scalar) {
      String text = scalar.getValue();
      return "\"" + (text.length() > SHOWN ? text.substring(0, SHOWN) + "…" : text) + "\"";
    }
    return value instanceof MappingNode ? "a map" : "a list";
  }
}
