package dev.weir.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A script that has run in a shell, in which {@code weir} is the command in a process of its own.
 */
record ShellRun(int code, String out, String err) {
  private static final String WEIR =
      """
      weir() { "$TEST_JAVA" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -cp "$TEST_CLASSES" %s "$@"; }
      """
          .formatted(Weir.class.getName());

  static ShellRun of(Path folder, String script) throws IOException, InterruptedException {
    return in("bash", folder, script);
  }

  /** In another shell than bash. */
  static ShellRun in(String shell, Path folder, String script)
      throws IOException, InterruptedException {
    Path out = Files.createTempFile(folder, "shell", ".out");
    Path err = Files.createTempFile(folder, "shell", ".err");
    ProcessBuilder process =
        new ProcessBuilder(new ArrayList<>(List.of(shell, "-c", WEIR + script)));
    process.environment().remove("JAVA_TOOL_OPTIONS");
    process
        .environment()
        .put("TEST_JAVA", Path.of(System.getProperty("java.home"), "bin", "java").toString());
    process.environment().put("TEST_CLASSES", System.getProperty("java.class.path"));
    Process run =
        process
            .directory(folder.toFile())
            .redirectInput(new File("/dev/null"))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    if (!run.waitFor(60, TimeUnit.SECONDS)) {
      run.destroyForcibly();
      throw new AssertionError("still running after 60 s: " + script);
    }
    return new ShellRun(
        run.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }
}
