package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process, and the scripts at the root as far as they need no build. */
class WeirScriptTest {

  @TempDir Path temporary = Path.of("");

  @Test
  void helps() {
    CommandRun run = CommandRun.of("--help");
    assertThat(run.code()).isZero();
    assertThat(run.out())
        .startsWith("Usage: weir [-hV] <command>")
        .contains("try", "Replay requests");
    assertThat(CommandRun.of("try", "--help").out())
        .contains("--rate", "--for", "--burst-at", "--json");
  }

  @Test
  void tellsItsVersion() {
    assertThat(CommandRun.of("--version").out())
        .matches("weir [0-9]+\\.[0-9]+\\.[0-9]+(-SNAPSHOT)?\n");
  }

  @Test
  void addsUp() throws Exception {
    Run run = weir("try", "10/s burst 20", "--rate", "25/s", "--for", "5s", "--json");
    assertThat(run.code).isZero();
    assertThat(run.out)
        .startsWith("{\"offered\": 125, \"allowed\": 69, \"refused\": 56, \"timeline\": [");
  }

  @Test
  void endsWithOneLineAndOneOnWrongInput() throws Exception {
    Run run = weir("try", "10/s", "--rate", "25");
    assertThat(run.code).isEqualTo(1);
    assertThat(run.out).isEmpty();
    assertThat(run.err)
        .isEqualTo(
            "weir try: --rate: \"25\" is no rate; write a number and a period, for example 25/s\n");
  }

  @Test
  void endsWithOneLineAndTwoOnWrongUsage() throws Exception {
    Run run = weir("try", "10/s", "--frob");
    assertThat(run.code).isEqualTo(2);
    assertThat(run.err).isEqualTo("weir try: unknown option: '--frob'; see weir try --help\n");
  }

  @Test
  void drawsInAsciiWhereTheLocaleSaysSo() throws Exception {
    ProcessBuilder process = new ProcessBuilder(javaCommand("try", "10/s"));
    process.environment().put("LC_ALL", "C");
    assertThat(run(process).out).matches("\\p{ASCII}+").contains("# allowed   x refused");
  }

  @Test
  void testScriptRefusesUnknownArguments() throws Exception {
    Run run = run(new ProcessBuilder("bash", script("test").toString(), "--frob"));
    assertThat(run.code).isEqualTo(2);
    assertThat(run.err)
        .isEqualTo(
            """
            test: unknown option "--frob"
            usage: ./test [--long] [MODULE… | --changed [REF] | --repeat N CLASS] [-Dname=value…]
            """);
  }

  @Test
  void scriptsSayInOneLineThatJavaIsMissing() throws Exception {
    Path checkout = checkoutOfScripts();
    for (String name : List.of("weir", "test")) {
      Run run = run(bare(checkout.resolve(name)));
      assertThat(run.code).isEqualTo(1);
      assertThat(run.out).isEmpty();
      assertThat(run.err)
          .isEqualTo(
              name
                  + ": no java found; install a JDK 17 or newer, for example: apt-get install"
                  + " openjdk-17-jdk\n");
    }
  }

  @Test
  void scriptsSayInOneLineThatJavaIsTooOld() throws Exception {
    Path checkout = checkoutOfScripts();
    Path home = Files.createDirectories(temporary.resolve("old jdk"));
    Path java = Files.createDirectory(home.resolve("bin")).resolve("java");
    Files.writeString(java, "");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
    ProcessBuilder process = bare(checkout.resolve("weir"));
    process.environment().put("JAVA_HOME", home.toString());
    Run run = run(process);
    assertThat(run.code).isEqualTo(1);
    assertThat(run.err)
        .isEqualTo(
            "weir: Java 11.0.2 is too old; install a JDK 17 or newer, for example: apt-get install"
                + " openjdk-17-jdk\n");
  }

  /** Copies of the scripts, so that nothing built is found beside them. */
  private Path checkoutOfScripts() throws IOException {
    Path checkout = Files.createDirectories(temporary.resolve("a checkout"));
    Files.createDirectories(checkout.resolve(".ci"));
    for (String name :
        List.of("weir", "test", "pom.xml", ".ci/toolchain.bash", ".ci/modules.bash")) {
      Files.copy(script(name), checkout.resolve(name));
    }
    return checkout;
  }

  /** With a PATH on which there are neither Java nor Maven nor apt-get. */
  private ProcessBuilder bare(Path script) throws IOException {
    Path bin = Files.createDirectories(temporary.resolve("bin"));
    for (String tool : List.of("awk", "dirname", "find", "mkdir", "readlink", "sed")) {
      Path stand = bin.resolve(tool);
      Files.writeString(stand, "#!/bin/sh\nexec '" + onPath(tool) + "' \"$@\"\n");
      assertThat(stand.toFile().setExecutable(true)).isTrue();
    }
    ProcessBuilder process = new ProcessBuilder(onPath("bash").toString(), script.toString());
    process.environment().remove("JAVA_HOME");
    process.environment().put("PATH", bin.toString());
    return process;
  }

  private static Path onPath(String tool) {
    for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
      Path path = Path.of(folder, tool);
      if (Files.isExecutable(path)) {
        return path;
      }
    }
    throw new AssertionError(tool + " is not on the PATH");
  }

  private static Path script(String name) {
    Path path = Path.of("..", name).toAbsolutePath().normalize();
    assumeTrue(Files.exists(path), () -> path + " is not there: run from the module's folder");
    return path;
  }

  /** As a process, with an exit code. */
  private static Run weir(String... args) throws Exception {
    return run(new ProcessBuilder(javaCommand(args)));
  }

  private static List<String> javaCommand(String... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-cp",
            System.getProperty("java.class.path")));
    command.add(Weir.class.getName());
    command.addAll(List.of(args));
    return command;
  }

  private static Run run(ProcessBuilder builder) throws Exception {
    Path out = Files.createTempFile("weir", ".out");
    Path err = Files.createTempFile("weir", ".err");
    try {
      builder.environment().remove("JAVA_TOOL_OPTIONS");
      Process process =
          builder
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start();
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError("still running after 60 s: " + builder.command());
      }
      return new Run(
          process.exitValue(),
          Files.readString(out, StandardCharsets.UTF_8),
          Files.readString(err, StandardCharsets.UTF_8));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  private record Run(int code, String out, String err) {}
}
