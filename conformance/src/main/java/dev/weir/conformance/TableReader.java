package dev.weir.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads the table: all files of a folder that end with {@code .yaml}, in the order of their names.
 */
final class TableReader {
  private static final String SUFFIX = ".yaml";

  private TableReader() {}

  static List<Case> read(Path folder) {
    List<Case> cases = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(SUFFIX)).sorted().toList()) {
        cases.addAll(parse(Files.readString(file), file.getFileName().toString()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the table in " + folder, e);
    }
    if (cases.isEmpty()) {
      throw new IllegalArgumentException("there is no table in " + folder);
    }
    Set<String> names = new HashSet<>();
    for (Case each : cases) {
      if (!names.add(each.name())) {
        throw new IllegalArgumentException("two cases have the name " + each.name());
      }
    }
    return List.copyOf(cases);
  }

  static List<Case> parse(String text, String fileName) {
    Fields file;
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(fileName).build();
      file = Fields.of(new Load(settings).loadFromString(text), fileName);
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException(fileName + ": " + e.getMessage(), e);
    }
    String theme = fileName.substring(0, fileName.length() - SUFFIX.length());
    file.text("about");
    List<Case> cases = new ArrayList<>();
    for (Object each : file.list("cases")) {
      cases.add(readCase(theme, Fields.of(each, fileName + ", case " + (cases.size() + 1))));
    }
    file.end();
    return cases;
  }

  private static Case readCase(String theme, Fields fields) {
    String name = fields.text("name");
    String place = theme + "/" + name;
    String why = fields.text("why");
    List<String> align = fields.texts("align");
    Map<String, String> files = files(fields, place);
    Case result =
        new Case(
            theme,
            name,
            why,
            new TreeSet<>(fields.texts("settings")),
            Set.copyOf(fields.texts("features")),
            alignSeconds(align, place),
            files,
            new StepReader(name, place).steps(fields.list("steps")));
    fields.end();
    return result;
  }

  private static Map<String, String> files(Fields fields, String place) {
    Map<String, String> files = new LinkedHashMap<>();
    if (fields.has("config")) {
      files.put("", fields.text("config"));
    }
    if (fields.has("configs")) {
      Fields named = Fields.of(fields.take("configs"), place + ", configs");
      for (String name : named.keys()) {
        files.put(name, named.text(name));
      }
    }
    return files;
  }

  /** The least common multiple of the units. */
  private static long alignSeconds(List<String> units, String place) {
    long seconds = Unit.DAY.seconds();
    for (String unit : units) {
      try {
        seconds = leastCommonMultiple(seconds, Unit.parse(unit.toUpperCase(Locale.ROOT)).seconds());
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(place + ": align: " + e.getMessage(), e);
      }
    }
    return seconds;
  }

  private static long leastCommonMultiple(long a, long b) {
    long x = a;
    long y = b;
    while (y != 0) {
      long rest = x % y;
      x = y;
      y = rest;
    }
    return a / x * b;
  }
}
