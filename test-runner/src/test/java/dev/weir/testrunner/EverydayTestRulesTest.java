package dev.weir.testrunner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Everyday tests neither sleep nor measure time, so that they are fast, and pass on a busy machine.
 *
 * <p>This covers all test sources and the testkit. A class that has to measure or to wait carries
 * {@code @Tag("long")}, also when it is only a helper of such tests, and is not used by others.
 */
class EverydayTestRulesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern FORBIDDEN =
      Pattern.compile(
          "\\.sleep\\(|\\bsleep\\(\\d|\\bpark(Nanos|Until)\\(" // waits
              + "|\\bnanoTime\\b|\\bcurrentTimeMillis\\b|Thread(Cpu|User)Time\\(" // measures
              + "|\\bassertTimeout\\(|\\.during\\(|\\.atLeast\\(Duration"); // asserts

  /** Files that may, each with the reason. */
  private static final Map<String, String> ALLOWED =
      Map.of(
          "testkit/src/main/java/dev/weir/testkit/process/Await.java",
          "polls for a condition",
          "testkit/src/main/java/dev/weir/testkit/process/Ports.java",
          "waits for a port that a starting program has inherited");

  private static final Pattern LONG = Pattern.compile("(?m)^@Tag\\(\"long\"\\)");

  /** Comments, text blocks, and string and character literals. */
  private static final Pattern NOT_CODE =
      Pattern.compile(
          "\"\"\".*?\"\"\"|\"(\\\\.|[^\"\\\\\n])*\"|'(\\\\.|[^'\\\\\n])+'|//[^\n]*|/\\*.*?\\*/",
          Pattern.DOTALL);

  private static final Map<String, String> EVERYDAY = new TreeMap<>();

  /** The names of classes of the long level by module. */
  private static final Map<String, List<String>> LONG_CLASSES = new TreeMap<>();

  @BeforeAll
  static void readSources() throws IOException {
    for (Path root : sourceRoots()) {
      try (Stream<Path> files = Files.walk(root)) {
        for (Path file : (Iterable<Path>) files.filter(EverydayTestRulesTest::isJava)::iterator) {
          String source = Files.readString(file);
          String name = ROOT.relativize(file).toString();
          if (LONG.matcher(source).find()) {
            LONG_CLASSES
                .computeIfAbsent(moduleOf(name), module -> new ArrayList<>())
                .add(file.getFileName().toString().replace(".java", ""));
          } else {
            EVERYDAY.put(name, codeOf(source));
          }
        }
      }
    }
  }

  private static String moduleOf(String file) {
    return file.substring(0, file.indexOf("/src/"));
  }

  private static boolean isJava(Path file) {
    return file.toString().endsWith(".java");
  }

  private static List<Path> sourceRoots() throws IOException {
    Matcher modules =
        Pattern.compile("<module>(.*)</module>").matcher(Files.readString(ROOT.resolve("pom.xml")));
    List<Path> roots = new ArrayList<>();
    while (modules.find()) {
      roots.add(ROOT.resolve(modules.group(1)).resolve("src/test/java"));
    }
    roots.add(ROOT.resolve("testkit/src/main/java"));
    roots.removeIf(root -> !Files.isDirectory(root));
    return roots;
  }

  private static String codeOf(String source) {
    return NOT_CODE.matcher(source).replaceAll("\"\"");
  }

  @Test
  void everydayTestsNeitherSleepNorMeasureTime() {
    assertThat(EVERYDAY).hasSizeGreaterThan(400);
    List<String> found = new ArrayList<>();
    EVERYDAY.forEach(
        (file, code) -> {
          Matcher matcher = FORBIDDEN.matcher(code);
          while (matcher.find() && !ALLOWED.containsKey(file)) {
            found.add(file + ": " + matcher.group());
          }
        });

    assertThat(found).isEmpty();
  }

  @Test
  void everydayTestsUseNoClassOfTheLongLevel() {
    assertThat(LONG_CLASSES).isNotEmpty();
    List<String> found = new ArrayList<>();
    EVERYDAY.forEach(
        (file, code) -> {
          for (String name : LONG_CLASSES.getOrDefault(moduleOf(file), List.of())) {
            if (Pattern.compile("\\b" + name + "\\b").matcher(code).find()) {
              found.add(file + " uses " + name);
            }
          }
        });

    assertThat(found).isEmpty();
  }

  @Test
  void allowedFilesExistAndNeedTheException() {
    assertThat(ALLOWED.keySet())
        .allSatisfy(file -> assertThat(EVERYDAY.get(file)).containsPattern(FORBIDDEN));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Thread.sleep(5);                                | true
          TimeUnit.SECONDS.sleep(1);                      | true
          LockSupport.parkNanos(1);                       | true
          long start = System.nanoTime();                 | true
          supplier(System::nanoTime);                     | true
          long now = System.currentTimeMillis();          | true
          threads.getCurrentThreadCpuTime();              | true
          assertTimeout(second, task);                    | true
          await().during(second).until(task);             | true
          print("System.nanoTime");                       | false
          call(); // Thread.sleep(5) was here             | false
          await().atMost(minute).until(task);             | false
          assertTimeoutPreemptively(minute, task);        | false
          """)
  void recognisesWhatIsForbidden(String code, boolean isForbidden) {
    assertThat(FORBIDDEN.matcher(codeOf(code)).find()).isEqualTo(isForbidden);
  }
}
