package dev.weir.testrunner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which modules {@code ./test --changed} takes for a changed file. */
class AffectedModulesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static List<String> affectedBy(String... files) throws IOException, InterruptedException {
    Process bash =
        new ProcessBuilder("bash", "-c", "source .ci/modules.bash && affected_modules")
            .directory(ROOT.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var in = bash.outputWriter(StandardCharsets.UTF_8)) {
      in.write(String.join("\n", files) + "\n");
    }
    List<String> modules = bash.inputReader(StandardCharsets.UTF_8).lines().toList();
    assertThat(bash.waitFor()).isZero();
    return modules;
  }

  @ParameterizedTest
  @CsvSource({
    "cli/src/main/java/dev/weir/cli/Weir.java, test-runner cli",
    "cli/src/main/resources/a.txt, cli",
    "control/src/test/java/dev/weir/control/A.java, test-runner control",
    "bench/spring/src/main/resources/a.txt, bench/spring",
    "bench/run, bench",
    "docs/concepts.md, cli",
    "docs/guides/nginx.md, server spring-boot-starter cli",
    "README.md, cli",
    "weir, cli",
  })
  void takesTheModuleOfAFileAndThoseThatUseIt(String file, String modules)
      throws IOException, InterruptedException {
    assertThat(affectedBy(file)).containsExactlyInAnyOrder(modules.split(" "));
  }

  @Test
  void takesModulesThatDependOnItIndirectly() throws IOException, InterruptedException {
    assertThat(affectedBy("redis/src/main/java/dev/weir/redis/A.java"))
        .contains("redis", "server", "cli", "spring-boot-starter", "examples/spring-boot")
        .doesNotContain("core", "testkit", "policy", "control");
  }

  @Test
  void takesAllModulesIfTheBuildChanges() throws IOException, InterruptedException {
    assertThat(affectedBy("pom.xml")).isEqualTo(affectedBy("test")).hasSizeGreaterThan(15);
  }

  @Test
  void takesNoModuleForFilesThatNoTestReads() throws IOException, InterruptedException {
    assertThat(affectedBy("LICENSE", "docs/performance/core-17.json")).isEmpty();
    assertThat(affectedBy()).isEmpty();
  }
}
