package dev.weir.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.exc.StreamReadException;
import dev.weir.Limit;
import dev.weir.policy.ApiKeyIds;
import dev.weir.policy.MalformedRequestException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body of JSON, member by member. What cannot be read, or is not what was asked for, is a
 * {@link MalformedRequestException} that names the member.
 */
final class JsonBody implements AutoCloseable {
  private static final int DEEPEST = 8;
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxNumberLength(100)
                  .maxStringLength(Exchange.MOST_BYTES)
                  .maxNameLength(1_024)
                  .build())
          .build();

  private final JsonParser parser;
  private String prefix = "";

  JsonBody(byte[] body) {
    try {
      this.parser = FACTORY.createParser(Utf8.decode("body", body));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** What reads the value of a member. */
  @FunctionalInterface
  interface Member {
    /** Reads it; false if there is no such member. */
    boolean read(String name);
  }

  /** What reads one element. */
  @FunctionalInterface
  interface Element {
    void read();
  }

  /** Reads the body as one object. */
  void object(Member member) {
    next();
    membersOf(member);
    end();
  }

  /**
   * Reads the body as an array of objects; members are named with their number, as {@code
   * [3].path}.
   */
  void objects(int most, Element element) {
    if (next() != JsonToken.START_ARRAY) {
      throw new MalformedRequestException("body", "must be an array of objects");
    }
    for (int i = 0; next() != JsonToken.END_ARRAY; i++) {
      if (i == most) {
        throw new MalformedRequestException("body", "must have at most " + most + " elements");
      }
      prefix = "[" + i + "].";
      element.read();
      prefix = "";
    }
    end();
  }

  /**
   * Reads a body as one object of whatever members: strings, whole numbers, booleans, lists and
   * objects.
   */
  static Map<String, Object> document(byte[] bytes) {
    Map<String, Object> document = new LinkedHashMap<>();
    try (JsonBody body = new JsonBody(bytes)) {
      body.object(name -> body.putValue(document, name));
    }
    return document;
  }

  /** Reads a JSON merge patch (RFC 7396): a document in which members may be null. */
  static Map<String, @Nullable Object> patch(byte[] bytes) {
    Map<String, @Nullable Object> patch = new LinkedHashMap<>();
    try (JsonBody body = new JsonBody(bytes)) {
      body.object(name -> body.putChange(patch, name, name));
    }
    return patch;
  }

  private boolean putValue(Map<String, Object> document, String name) {
    document.put(name, value(name));
    return true;
  }

  private boolean putChange(Map<String, @Nullable Object> patch, String member, String name) {
    if (isNull()) {
      patch.put(member, null);
    } else if (parser.currentToken() == JsonToken.START_OBJECT) {
      Map<String, @Nullable Object> inside = new LinkedHashMap<>();
      membersOf(each -> putChange(inside, each, name + "." + each));
      patch.put(member, inside);
    } else {
      patch.put(member, value(name));
    }
    return true;
  }

  private Object value(String name) {
    return switch (parser.currentToken()) {
      case VALUE_STRING -> withoutKey(name, text());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> whole(name);
      case START_ARRAY -> {
        List<Object> elements = new ArrayList<>();
        while (hasElement()) {
          elements.add(value(name + "[" + elements.size() + "]"));
        }
        yield elements;
      }
      case START_OBJECT -> {
        Map<String, Object> members = new LinkedHashMap<>();
        membersOf(
            member -> {
              members.put(member, value(name + "." + member));
              return true;
            });
        yield members;
      }
      default ->
          throw wrong(name, "must be a string, a whole number, true, false, a list or an object");
    };
  }

  private long whole(String name) {
    try {
      if (parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
        return parser.getLongValue();
      }
    } catch (IOException unreadable) {
      throw malformed(unreadable);
    }
    throw wrong(name, "must be a whole number of ordinary size");
  }

  /** The value at hand, which must be a list of strings. */
  List<String> strings(String name) {
    if (!isArray()) {
      throw wrong(name, "must be a list of strings");
    }
    List<String> strings = new ArrayList<>();
    while (hasElement()) {
      strings.add(string(name + "[" + strings.size() + "]"));
    }
    return strings;
  }

  /** Reads the object at hand. */
  void membersOf(Member member) {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw wrong("body", "must be an object");
    }
    Set<String> seen = new HashSet<>();
    while (next() != JsonToken.END_OBJECT) {
      String name = name();
      if (!seen.add(name)) {
        throw wrong(name, "must be given once");
      }
      next();
      if (!member.read(name)) {
        throw wrong(name, "is not known here");
      }
    }
  }

  private String name() {
    try {
      return String.valueOf(parser.currentName());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The value at hand, which must be a string without an API key: it may be stored and shown. */
  String string(String name) {
    return withoutKey(name, stringOrKey(name));
  }

  private String withoutKey(String name, String text) {
    if (ApiKeyIds.containsKey(text)) {
      throw wrong(name, "must not contain an API key");
    }
    return text;
  }

  /** The value at hand, which must be a string, and may be an API key. */
  String stringOrKey(String name) {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw wrong(name, "must be a string");
    }
    return text();
  }

  /** The value at hand, which must be a string or null. */
  @Nullable String stringOrNull(String name) {
    return isNull() ? null : string(name);
  }

  /** Whether the value at hand is null. */
  boolean isNull() {
    return parser.currentToken() == JsonToken.VALUE_NULL;
  }

  private String text() {
    try {
      String text = parser.getText();
      if (!Utf8.isEncodable(text)) {
        throw new MalformedRequestException("body", "must be JSON without unpaired surrogates");
      }
      return text;
    } catch (IOException unreadable) {
      throw malformed(unreadable);
    }
  }

  /** The value at hand, which must be true or false. */
  boolean bool(String name) {
    JsonToken token = parser.currentToken();
    if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
      throw wrong(name, "must be true or false");
    }
    return token == JsonToken.VALUE_TRUE;
  }

  /** The value at hand, which must be a whole number of permits, from {@code least} on. */
  long permits(String name, long least) {
    try {
      if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
          && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
        long value = parser.getLongValue();
        if (value >= least && value <= Limit.MAX_PERMITS) {
          return value;
        }
      }
    } catch (IOException unreadable) {
      throw malformed(unreadable);
    }
    throw wrong(name, "must be a whole number from " + least + " to " + Limit.MAX_PERMITS);
  }

  /** Whether the value at hand is an array. */
  boolean isArray() {
    return parser.currentToken() == JsonToken.START_ARRAY;
  }

  /** Goes to the next element of the array at hand; false at its end. */
  boolean hasElement() {
    return next() != JsonToken.END_ARRAY;
  }

  private JsonToken next() {
    try {
      JsonToken token = parser.nextToken();
      if (token == null) {
        throw new MalformedRequestException("body", "must be JSON, but ends too early");
      }
      return token;
    } catch (IOException unreadable) {
      throw malformed(unreadable);
    }
  }

  private void end() {
    try {
      if (parser.nextToken() != null) {
        throw new MalformedRequestException("body", "must be one value of JSON");
      }
    } catch (IOException unreadable) {
      throw malformed(unreadable);
    }
  }

  /** Says where, and not what: that would be the caller's own text. */
  private static MalformedRequestException malformed(IOException failure) {
    if (failure instanceof StreamConstraintsException) {
      return new MalformedRequestException(
          "body", "must be JSON of at most " + DEEPEST + " levels and of ordinary size");
    }
    String where =
        failure instanceof StreamReadException read && read.getLocation() != null
            ? "; line %d, column %d cannot be read"
                .formatted(read.getLocation().getLineNr(), read.getLocation().getColumnNr())
            : "";
    return new MalformedRequestException("body", "must be JSON" + where);
  }

  /** The name of a member as errors give it, such as {@code [3].path}. */
  String fullName(String name) {
    return prefix + name;
  }

  /** That the member with that name is wrong. */
  MalformedRequestException wrong(String name, String problem) {
    return new MalformedRequestException(fullName(name), problem);
  }

  @Override
  public void close() {
    try {
      parser.close();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
