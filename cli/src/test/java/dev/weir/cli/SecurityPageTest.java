package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
  private static final Pattern ROW =
      Pattern.compile("^\\| T(\\d+) \\| ([^|]+) \\| ([a-z ]+) \\|([^|]*)\\|$", Pattern.MULTILINE);
  private static final Pattern TEST_CLASS = Pattern.compile("`([A-Z]\\w+)`");
  private static final Set<String> WITH_TESTS = Set.of("tested", "open");
  private static final Set<String> WITHOUT_TESTS = Set.of("by design", "not offered");

  private static List<MatchResult> rows() throws IOException {
    return ROW.matcher(Files.readString(ROOT.resolve("docs/security.md"))).results().toList();
  }

  private static Set<String> testClasses() throws IOException {
    Set<String> names = new HashSet<>();
    for (Path module : modules()) {
      try (Stream<Path> files = Files.walk(module.resolve("src"))) {
        files
            .map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(".java"))
            .forEach(name -> names.add(name.substring(0, name.length() - ".java".length())));
      }
    }
    return names;
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
  void whatIsTestedNamesTestsThatExist() throws IOException {
    Set<String> known = testClasses();
    for (MatchResult row : rows()) {
      String status = row.group(3);
      List<String> named = new ArrayList<>();
      Matcher matcher = TEST_CLASS.matcher(row.group(4));
      while (matcher.find()) {
        named.add(matcher.group(1));
      }
      assertThat(known).as("T%s", row.group(1)).containsAll(named);
      if (WITH_TESTS.contains(status)) {
        assertThat(named).as("T%s", row.group(1)).isNotEmpty();
      } else {
        assertThat(WITHOUT_TESTS).as("T%s", row.group(1)).contains(status);
      }
    }
  }
}
