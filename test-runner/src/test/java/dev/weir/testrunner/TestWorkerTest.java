package dev.weir.testrunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A real test JVM that runs small classes. */
class TestWorkerTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final TestModule MODULE =
      new TestModule("test-runner", Path.of("").toAbsolutePath());

  private static ClassResult run(Class<?> subject, List<String> deferredTags, String... options)
      throws IOException {
    List<String> jvmOptions = new ArrayList<>(List.of("-Dweir.subject=true"));
    jvmOptions.addAll(List.of(options));
    try (TestJvm jvm = TestJvm.start(MODULE, jvmOptions)) {
      ClassResult result = jvm.run(subject.getName(), deferredTags, TIMEOUT);
      assertThat(result.className()).isEqualTo(subject.getName());
      return result;
    }
  }

  @EnabledIfSystemProperty(named = "weir.subject", matches = "true")
  static class Mixed {
    @Test
    void passes() {}

    @Test
    void fails() {
      fail("on purpose");
    }

    @Test
    void assumesTooMuch() {
      assumeTrue(false);
    }

    @Test
    @Disabled("on purpose")
    void isDisabled() {}

    @Test
    @Tag("long")
    void isLong() {}
  }

  @Test
  void countsPassedFailedAndSkippedTests() throws IOException {
    ClassResult result = run(Mixed.class, List.of());

    assertThat(result.passed()).isEqualTo(1);
    assertThat(result.skipped()).isEqualTo(2);
    assertThat(result.failures())
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.test()).isEqualTo("fails()");
              assertThat(failure.trace()).contains("on purpose");
            });
  }

  @Test
  void runsLongTestsOnlyInALongRun() throws IOException {
    assertThat(run(Mixed.class, List.of(), "-Dweir.long=true").passed()).isEqualTo(2);
  }

  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  @EnabledIfSystemProperty(named = "weir.subject", matches = "true")
  static class BrokenSetUp {
    @BeforeAll
    void fails() {
      fail("on purpose");
    }

    @Test
    void neverRuns() {}
  }

  @Test
  void aFailedSetUpIsAFailure() throws IOException {
    ClassResult result = run(BrokenSetUp.class, List.of());

    assertThat(result.passed()).isZero();
    assertThat(result.failures()).hasSize(1);
  }

  @Tag("exclusive")
  @EnabledIfSystemProperty(named = "weir.subject", matches = "true")
  static class Exclusive {
    @Test
    void passes() {}
  }

  @Test
  void defersAClassByItsTag() throws IOException {
    assertThat(run(Exclusive.class, List.of("own-jvm", "exclusive")).deferredBy())
        .isEqualTo("exclusive");
    assertThat(run(Exclusive.class, List.of("own-jvm")).passed()).isEqualTo(1);
  }

  @EnabledIfSystemProperty(named = "weir.subject", matches = "true")
  static class Halting {
    @Test
    void halts() {
      Runtime.getRuntime().halt(1);
    }
  }

  @Test
  void aJvmThatEndsIsAFailureOfItsClass() throws IOException {
    assertThat(run(Halting.class, List.of()).failures())
        .singleElement()
        .satisfies(failure -> assertThat(failure.trace()).contains("the test JVM ended"));
  }

  @Test
  void aClassThatDoesNotExistIsAFailure() throws IOException {
    try (TestJvm jvm = TestJvm.start(MODULE, List.of())) {
      assertThat(jvm.run("dev.weir.NoSuchTest", List.of(), TIMEOUT).failures()).hasSize(1);
    }
  }

  @Test
  void theSummaryEndsWithTheTotals() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Progress progress = new Progress(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    progress.finished(MODULE, new ClassResult("a.ATest", "", 3, 1, List.of(), 1_500));
    assertThat(progress.isSuccess()).isTrue();
    progress.finished(MODULE, ClassResult.broken("a.BTest", "on purpose", 20));
    assertThat(progress.isSuccess()).isFalse();
    progress.printSummary();

    assertThat(bytes.toString(StandardCharsets.UTF_8))
        .contains("a.ATest", "4 tests", "1.5 s", "1 skipped", "FAILED test-runner a.BTest: a.BTest")
        .endsWith("3 passed, 1 failed, 1 skipped\n");
  }
}
