package dev.weir.server.envoy;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import java.math.BigInteger;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads the {@code metadata} of a descriptor, which may be anything that JSON can say. */
final class MetadataReader {
  private static final int DEEPEST = 32;

  private final Reading reading;

  MetadataReader(Reading reading) {
    this.reading = reading;
  }

  /** The values of a map; those that are wrong are reported and left out. */
  Struct struct(MappingNode map) {
    return struct(map, 1);
  }

  private Struct struct(MappingNode map, int depth) {
    Struct.Builder struct = Struct.newBuilder();
    for (NodeTuple entry : map.getValue()) {
      if (entry.getKeyNode() instanceof ScalarNode key) {
        struct.putFields(key.getValue(), value(entry.getValueNode(), depth));
      } else {
        reading.mistakes().report(entry.getKeyNode(), "config error, key is not of type string");
      }
    }
    return struct.build();
  }

  private Value value(Node node, int depth) {
    reading.visit(node);
    if (depth > DEEPEST) {
      reading
          .mistakes()
          .report(node, "metadata must not be nested deeper than " + DEEPEST + " levels");
      return nothing();
    }
    if (node instanceof MappingNode map) {
      return Value.newBuilder().setStructValue(struct(map, depth + 1)).build();
    }
    if (node instanceof SequenceNode list) {
      ListValue.Builder values = ListValue.newBuilder();
      for (Node element : list.getValue()) {
        values.addValues(value(element, depth + 1));
      }
      return Value.newBuilder().setListValue(values).build();
    }
    return scalar((ScalarNode) node);
  }

  private Value scalar(ScalarNode scalar) {
    Boolean bool = YamlMap.boolOf(scalar);
    Tag tag = scalar.getTag();
    if (bool != null) {
      return Value.newBuilder().setBoolValue(bool).build();
    }
    if (tag.equals(Tag.NULL)) {
      return nothing();
    }
    if (tag.equals(Tag.INT) || tag.equals(Tag.FLOAT)) {
      return number(scalar);
    }
    return Value.newBuilder().setStringValue(scalar.getValue()).build();
  }

  private Value number(ScalarNode scalar) {
    String text = scalar.getValue();
    double number = Double.NaN;
    try {
      if (text.startsWith("0x")) {
        number = new BigInteger(text.substring(2), 16).doubleValue();
      } else if (text.startsWith("0o")) {
        number = new BigInteger(text.substring(2), 8).doubleValue();
      } else {
        number = Double.parseDouble(text);
      }
    } catch (NumberFormatException special) {
      // Infinity and the like, which JSON cannot say.
    }
    if (!Double.isFinite(number)) {
      reading
          .mistakes()
          .report(scalar, "metadata must have finite numbers, got " + YamlMap.shown(scalar));
      return nothing();
    }
    return Value.newBuilder().setNumberValue(number).build();
  }

  private static Value nothing() {
    return Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build();
  }
}
