package dev.weir.backtest;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the fields of a mapping in objects of JSON. Used again for each line. */
final class JsonFields {
  private static final int DEEPEST = 64;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
          .build();

  private final Map<LogField, Slot> slots = new EnumMap<>(LogField.class);
  private final Node root = new Node();

  /** The value of one field in the line at hand. */
  private static final class Slot {
    @Nullable String value;
    int rank;

    void clear() {
      value = null;
      rank = Integer.MAX_VALUE;
    }
  }

  /** What a name stands for: a field, or names inside an object, or nothing. */
  private static final class Node {
    final Map<String, Node> inside = new HashMap<>();
    @Nullable Slot slot;
    int rank;
  }

  JsonFields(FieldMapping mapping) {
    for (LogField field : LogField.all()) {
      Slot slot = new Slot();
      slots.put(field, slot);
      List<String> names = mapping.of(field);
      for (int rank = 0; rank < names.size(); rank++) {
        put(names.get(rank), slot, rank);
      }
    }
  }

  private void put(String name, Slot slot, int rank) {
    Node node = root;
    int start = 0;
    for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', start)) {
      node = node.inside.computeIfAbsent(name.substring(start, dot), any -> new Node());
      start = dot + 1;
    }
    node = node.inside.computeIfAbsent(name.substring(start), any -> new Node());
    node.slot = slot;
    node.rank = rank;
  }

  /** Takes the fields out of a line. */
  void read(byte[] bytes, int from, int to) throws BadLine {
    slots.values().forEach(Slot::clear);
    try (JsonParser parser = FACTORY.createParser(bytes, from, to - from)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new BadLine("must be a JSON object");
      }
      readObject(parser, root);
      if (parser.nextToken() != null) {
        throw new BadLine("must be one JSON object and nothing more");
      }
    } catch (JacksonException wrong) {
      throw new BadLine("must be a JSON object, but: " + firstLine(wrong.getOriginalMessage()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String firstLine(@Nullable String message) {
    String text = String.valueOf(message);
    int end = text.indexOf('\n');
    return BadLine.shown(end < 0 ? text : text.substring(0, end));
  }

  private static void readObject(JsonParser parser, Node node) throws IOException {
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      Node known = node.inside.get(name);
      JsonToken token = parser.nextToken();
      if (known == null) {
        parser.skipChildren();
      } else if (token == JsonToken.START_OBJECT) {
        readObject(parser, known);
      } else if (token == JsonToken.START_ARRAY) {
        readArray(parser, known);
      } else {
        readValue(parser, known);
      }
    }
  }

  /** The first value of an array stands for all: Caddy has header fields so. */
  private static void readArray(JsonParser parser, Node node) throws IOException {
    for (JsonToken token = parser.nextToken();
        token != null && token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      parser.skipChildren();
      if (token.isScalarValue() && (node.slot == null || node.slot.value == null)) {
        readValue(parser, node);
      }
    }
  }

  private static void readValue(JsonParser parser, Node node) throws IOException {
    Slot slot = node.slot;
    if (slot != null && node.rank < slot.rank && parser.currentToken() != JsonToken.VALUE_NULL) {
      String text = parser.getText();
      if (!text.isEmpty()) {
        slot.value = text;
        slot.rank = node.rank;
      }
    }
  }

  /** A field of the line that was read last; null if it is absent or empty. */
  @Nullable String get(LogField field) {
    Slot slot = slots.get(field);
    return slot == null ? null : slot.value;
  }
}
