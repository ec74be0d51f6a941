package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.process.JavaCommand;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The jars as they are built have all that a service needs; what is on the path of tests may not.
 */
class JarsIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  @TempDir private Path folder = Path.of("");

  @Test
  void aServiceStartsFromTheBuiltJars() throws Exception {
    Process process =
        new ProcessBuilder(
                JavaCommand.with(
                    "-XX:TieredStopAtLevel=1",
                    "-XX:+UseSerialGC",
                    "-Xshare:auto",
                    "-cp",
                    TARGET.resolve("weir-cli.jar") + File.pathSeparator + TARGET.resolve("lib/*"),
                    Weir.class.getName(),
                    "serve",
                    "--port",
                    "0",
                    "--stop-when-ready"))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(said.lines()).hasSize(1);
      assertThat(said).startsWith("weir is ready on http://127.0.0.1:");
      assertThat(process.waitFor()).isZero();
    } finally {
      process.destroyForcibly();
    }
  }
}
