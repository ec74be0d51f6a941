package dev.weir.control.configuration;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a JSON object, as columns of the database have them: strings, whole numbers ({@code Long}),
 * fractions ({@code Double}), true, false, null, lists and maps.
 */
final class JsonReader {
  private static final int DEEPEST = 64;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build())
          .build();

  private JsonReader() {}

  /**
   * The object.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Map<String, @Nullable Object> read(String text) {
    try (JsonParser parser = FACTORY.createParser(text)) {
      boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
      Map<String, @Nullable Object> object = isObject ? object(parser) : Map.of();
      if (!isObject || parser.nextToken() != null) {
        throw new IllegalArgumentException("must be a JSON object and nothing more");
      }
      return object;
    } catch (JacksonException wrong) {
      throw new IllegalArgumentException(
          "must be a JSON object, but: " + wrong.getOriginalMessage(), wrong);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, @Nullable Object> object(JsonParser parser) throws IOException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      members.put(name, value(parser, parser.nextToken()));
    }
    return members;
  }

  private static List<@Nullable Object> array(JsonParser parser) throws IOException {
    List<@Nullable Object> elements = new ArrayList<>();
    for (JsonToken next = parser.nextToken();
        next != JsonToken.END_ARRAY;
        next = parser.nextToken()) {
      elements.add(value(parser, next));
    }
    return elements;
  }

  private static @Nullable Object value(JsonParser parser, JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> parser.getText();
    };
  }

  private static Object number(JsonParser parser) throws IOException {
    return switch (parser.getNumberType()) {
      case INT, LONG -> parser.getLongValue();
      default -> parser.getDoubleValue();
    };
  }
}
