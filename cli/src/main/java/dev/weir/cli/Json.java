package dev.weir.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A value of JSON that a server has sent. Numbers stay as they are written. */
sealed interface Json {
  /** What stands for a member that is not there. */
  Json NULL = new Literal("null");

  /** A string. */
  record Text(String value) implements Json {}

  /** A number, true, false or null. */
  record Literal(String text) implements Json {}

  /** An array. */
  record Items(List<Json> values) implements Json {}

  /** An object, its members in their order. */
  record Members(Map<String, Json> values) implements Json {
    /** The member with that name; null of JSON if there is none. */
    Json get(String name) {
      return values.getOrDefault(name, NULL);
    }

    /** The string or number with that name; empty if there is none. */
    String text(String name) {
      Json value = get(name);
      if (value instanceof Text text) {
        return text.value;
      }
      return value instanceof Literal literal && !value.equals(NULL) ? literal.text : "";
    }

    /** The whole number with that name; 0 if there is none. */
    long number(String name) {
      return Json.number(get(name));
    }

    /** The elements of the array with that name; none if there is none. */
    List<Json> items(String name) {
      return get(name) instanceof Items items ? items.values : List.of();
    }

    /** Whether the member with that name is true. */
    boolean isTrue(String name) {
      return text(name).equals("true");
    }
  }

  /** The whole number that the value is, fractions cut off; 0 if it is none. */
  static long number(Json value) {
    try {
      return value instanceof Literal literal ? new BigDecimal(literal.text).longValue() : 0;
    } catch (NumberFormatException isNone) {
      return 0;
    }
  }

  /**
   * Reads a text that is one value.
   *
   * @throws IOException if it is no JSON
   */
  static Json parse(byte[] text) throws IOException {
    try (JsonParser parser = Reading.FACTORY.createParser(text)) {
      parser.nextToken();
      Json value = Reading.value(parser);
      if (parser.nextToken() != null) {
        throw new IOException("must be one value of JSON");
      }
      return value;
    }
  }

  /** How values are read. */
  final class Reading {
    private static final JsonFactory FACTORY = new JsonFactory();

    private Reading() {}

    private static Json value(JsonParser parser) throws IOException {
      JsonToken token = parser.currentToken();
      if (token == JsonToken.START_OBJECT) {
        Map<String, Json> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          members.put(name, value(parser));
        }
        return new Members(members);
      }
      if (token == JsonToken.START_ARRAY) {
        List<Json> items = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          items.add(value(parser));
        }
        return new Items(items);
      }
      if (token == JsonToken.VALUE_STRING) {
        return new Text(parser.getText());
      }
      if (token == null || !token.isScalarValue()) {
        throw new IOException("must be JSON, but ends too early");
      }
      return new Literal(parser.getText());
    }
  }
}
