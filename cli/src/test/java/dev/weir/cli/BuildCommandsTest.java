package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** The Maven commands on the pages: they build modules that exist, and run no tests. */
class BuildCommandsTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern COMMAND =
      Pattern.compile("^(?:\\$ )?mvn -pl (\\S+) -am -DskipTests install$", Pattern.MULTILINE);

  /** What Maven writes before and after tests. */
  private static final Pattern TESTS = Pattern.compile("T E S T S|Tests run:");

  private final XPath xpath = XPathFactory.newInstance().newXPath();

  /** The modules that the pages build and install, each once. */
  private static List<String> modules() throws IOException {
    List<String> modules = new ArrayList<>();
    try (Stream<Path> root = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      Stream.concat(root, docs)
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .map(BuildCommandsTest::text)
          .forEach(
              text ->
                  COMMAND
                      .matcher(text)
                      .results()
                      .map(found -> found.group(1))
                      .filter(module -> !modules.contains(module))
                      .forEach(modules::add));
    }
    assertThat(modules).contains("core", "http", "spring-boot-starter");
    return modules;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private String value(Path pom, String expression) throws Exception {
    Document document =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
    return xpath.evaluate(expression, document);
  }

  @Test
  void theyNameModules() throws Exception {
    for (String module : modules()) {
      assertThat(value(ROOT.resolve("pom.xml"), "count(//module[.='" + module + "'])"))
          .as(module)
          .isEqualTo("1");
    }
  }

  /** Failsafe by itself looks at skipITs only. */
  @Test
  void skipTestsSkipsIntegrationTestsToo() throws Exception {
    Path parent = ROOT.resolve("pom.xml");
    assertThat(value(parent, "/project/properties/skipTests")).isEqualTo("false");
    assertThat(value(parent, "/project/properties/skipITs")).isEqualTo("${skipTests}");
    try (Stream<Path> files = Files.find(ROOT, 4, (file, of) -> isPom(file))) {
      for (Path pom : files.toList()) {
        assertThat(value(pom, "count(//plugin//skipTests | //plugin//skipITs)"))
            .as("%s sets it for itself", pom)
            .isEqualTo("0");
      }
    }
  }

  private static boolean isPom(Path file) {
    return file.endsWith("pom.xml") && !ROOT.relativize(file).toString().contains("target");
  }

  /** To the end, but for what is written into the local repository. */
  @Tag("long")
  @TestFactory
  List<DynamicTest> theyRunNoTests(@TempDir Path folder) throws Exception {
    copySources(folder);
    return modules().stream()
        .map(module -> dynamicTest(module, () -> assertRunsNoTests(folder, module)))
        .toList();
  }

  private static void assertRunsNoTests(Path folder, String module) throws Exception {
    Path log = folder.resolve("build.log");
    int code =
        new ProcessBuilder("mvn", "-B", "-ntp", "-pl", module, "-am", "-DskipTests", "verify")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    String said = Files.readString(log);
    assertThat(code).as(said).isZero();
    assertThat(said).contains("BUILD SUCCESS").doesNotContainPattern(TESTS);
  }

  private static void copySources(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(ROOT)) {
      for (Path file : files.toList()) {
        String name = ROOT.relativize(file).toString();
        Matcher left = Pattern.compile("(^|.*/)(target|\\.git|\\.weir)(/.*|$)").matcher(name);
        if (Files.isRegularFile(file) && !left.matches()) {
          Path copy = folder.resolve(name);
          Files.createDirectories(copy.getParent());
          Files.copy(file, copy);
        }
      }
    }
  }
}
