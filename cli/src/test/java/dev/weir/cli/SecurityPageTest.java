package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of attacks and faults in {@code docs/security.md}. */
class SecurityPageTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final int THREATS = 85;
  private static final String SOURCE = ".java";
  private static final Pattern ROW =
      Pattern.compile("^\\| T(\\d+) \\| ([^|]+) \\| ([a-z ]+) \\|([^|]*)\\|$", Pattern.MULTILINE);
  private static final Pattern TEST_CLASS = Pattern.compile("`([A-Z]\\w+)`");
  private static final Set<String> WITH_TESTS = Set.of("tested", "open");
  private static final Set<String> WITHOUT_TESTS = Set.of("by design", "not offered");

  private static List<MatchResult> rows() throws IOException {
    return ROW.matcher(Files.readString(ROOT.resolve("docs/security.md"))).results().toList();
  }

  /** The sources of all tests, and of the test kit, by the names of their classes. */
  private static Map<String, Path> testClasses() throws IOException {
    Map<String, Path> sources = new HashMap<>();
    for (Path module : modules()) {
      boolean isTestkit = module.endsWith("testkit");
      try (Stream<Path> files = Files.walk(module.resolve(isTestkit ? "src" : "src/test"))) {
        files
            .filter(file -> file.toString().endsWith(SOURCE))
            .forEach(file -> sources.put(file.getFileName().toString().replace(SOURCE, ""), file));
      }
    }
    return sources;
  }

  private static boolean mentions(Path source, String threat) {
    try {
      return Pattern.compile("\\b" + threat + "\\b").matcher(Files.readString(source)).find();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static List<Path> modules() throws IOException {
    try (Stream<Path> folders = Files.list(ROOT)) {
      return folders.filter(folder -> Files.isDirectory(folder.resolve("src/test"))).toList();
    }
  }

  @Test
  void everyThreatHasARow() throws IOException {
    assertThat(rows().stream().map(row -> Integer.valueOf(row.group(1))))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, THREATS).boxed().toList());
  }

  @Test
  void testsThatAreNamedExistAndOneMentionsTheThreat() throws IOException {
    Map<String, Path> known = testClasses();
    for (MatchResult row : rows()) {
      String status = row.group(3);
      List<String> named = new ArrayList<>();
      Matcher matcher = TEST_CLASS.matcher(row.group(4));
      while (matcher.find()) {
        named.add(matcher.group(1));
      }
      String threat = "T" + row.group(1);
      assertThat(known.keySet()).as(threat).containsAll(named);
      if (WITH_TESTS.contains(status)) {
        assertThat(named.stream().map(known::get))
            .as("sources that mention %s", threat)
            .anyMatch(source -> mentions(source, threat));
      } else {
        assertThat(WITHOUT_TESTS).as(threat).contains(status);
      }
    }
  }
}
