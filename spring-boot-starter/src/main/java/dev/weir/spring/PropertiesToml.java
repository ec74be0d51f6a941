package dev.weir.spring;

import dev.weir.policy.TomlText;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Name;

/** Writes properties as the {@code weir.toml} that they stand for. */
final class PropertiesToml {
  /** What is not in a {@code weir.toml}. */
  private static final Set<String> OWN = Set.of("enabled", "config", "filter", "annotations");

  /** The limit in two numbers; in a {@code weir.toml} it stands in the section default. */
  private static final Set<String> NUMBERS = Set.of("requests_per_minute", "window_duration_ms");

  private static final long USUAL_REQUESTS = 60;
  private static final long USUAL_MILLIS = 60_000;

  private final StringBuilder text = new StringBuilder();

  private PropertiesToml() {}

  /** The text of those properties that were given. */
  static String of(RateLimitProperties properties) {
    PropertiesToml toml = new PropertiesToml();
    toml.text.append("enabled = ").append(properties.enabled()).append('\n');
    // Values have to come before tables.
    toml.write(properties, "", false);
    toml.write(properties, "", true);
    if (properties.standard() == null) {
      toml.text
          .append("[default]\nlimit = ")
          .append(TomlText.quoted(firstLimit(properties)))
          .append('\n');
    }
    if (properties.events() == null) {
      // What an application prints is its own.
      toml.text.append("[events]\nlog = []\n");
    }
    return toml.text.toString();
  }

  /** Those of the properties that a {@code weir.toml} has too and that were given. */
  static List<String> given(RateLimitProperties properties) {
    List<String> given = new ArrayList<>();
    for (RecordComponent component : RateLimitProperties.class.getRecordComponents()) {
      String key = key(component);
      if (!OWN.contains(key) && value(properties, component) != null) {
        given.add(key.replace('_', '-'));
      }
    }
    return given;
  }

  /** Windows start with the first request of a client. */
  private static String firstLimit(RateLimitProperties properties) {
    long millis = Objects.requireNonNullElse(properties.windowDurationMs(), USUAL_MILLIS);
    long requests = Objects.requireNonNullElse(properties.requestsPerMinute(), USUAL_REQUESTS);
    String window = millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    return "%d/%s fixed_window align first_request".formatted(requests, window);
  }

  private void write(Record properties, String path, boolean isTables) {
    for (RecordComponent component : properties.getClass().getRecordComponents()) {
      String key = key(component);
      Object value = value(properties, component);
      boolean isOwn = path.isEmpty() && (OWN.contains(key) || NUMBERS.contains(key));
      if (value == null || isOwn) {
        continue;
      }
      boolean isTable = value instanceof Record || isListOfRecords(value);
      if (isTable != isTables) {
        continue;
      }
      if (!isTable) {
        text.append(key).append(" = ").append(shown(key, value)).append('\n');
      } else if (value instanceof Record inside) {
        table("[", path + key, "]", inside);
      } else {
        ((List<?>) value).forEach(each -> table("[[", path + key, "]]", (Record) each));
      }
    }
  }

  private void table(String open, String path, String close, Record inside) {
    text.append(open).append(path).append(close).append('\n');
    write(inside, path + ".", false);
    write(inside, path + ".", true);
  }

  private static boolean isListOfRecords(Object value) {
    return value instanceof List<?> list && !list.isEmpty() && list.get(0) instanceof Record;
  }

  /** {@code max_keys} for {@code maxKeys}, unless it has another name. */
  private static String key(RecordComponent component) {
    String own = component.getName();
    for (Parameter parameter : canonical(component.getDeclaringRecord()).getParameters()) {
      Name name = parameter.getAnnotation(Name.class);
      if (name != null && parameter.getName().equals(own)) {
        return name.value();
      }
    }
    return own.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static Constructor<?> canonical(Class<?> type) {
    // The records of properties have no other.
    return type.getDeclaredConstructors()[0];
  }

  private static @Nullable Object value(Record properties, RecordComponent component) {
    try {
      return component.getAccessor().invoke(properties);
    } catch (IllegalAccessException | InvocationTargetException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static String shown(String key, Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(each -> TomlText.quoted("" + each.getKey()) + " = " + shown("", each.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    if (value instanceof List<?> list) {
      return list.stream().map(each -> shown("", each)).collect(Collectors.joining(", ", "[", "]"));
    }
    // A limit may be a number or a text, and comes as a text in any case.
    boolean isNumber = key.equals("limit") && value.toString().matches("-?[0-9]{1,18}");
    return value instanceof String text && !isNumber ? TomlText.quoted(text) : value.toString();
  }
}
