package dev.weir.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The tool of Prometheus that says what is wrong with a page of metrics. */
public record Promtool(Path program) {
  private static final String NAME = "promtool";

  /** Where programs of Debian are unpacked, from the root of the checkout. */
  private static final Path UNPACKED = Path.of(".weir", "programs", "usr", "bin");

  /** From the folders of the PATH, or from those that are unpacked in the checkout. */
  public static Optional<Promtool> find() {
    List<Path> folders = new ArrayList<>();
    Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
        .map(Path::of)
        .forEach(folders::add);
    for (Path here = Path.of("").toAbsolutePath(); here != null; here = here.getParent()) {
      folders.add(here.resolve(UNPACKED));
    }
    return folders.stream()
        .map(folder -> folder.resolve(NAME))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Promtool::new);
  }

  /** What it has to say about a page; empty if the page is right. */
  public String check(String page) throws IOException, InterruptedException {
    Path input = Files.createTempFile("metrics", ".txt");
    Path output = Files.createTempFile("promtool", ".txt");
    try {
      Files.writeString(input, page);
      Process process =
          new ProcessBuilder(program.toString(), "check", "metrics")
              .redirectInput(input.toFile())
              .redirectOutput(output.toFile())
              .redirectErrorStream(true)
              .start();
      boolean hasEnded = process.waitFor(30, TimeUnit.SECONDS);
      process.destroyForcibly();
      assertThat(hasEnded).as("promtool has ended within 30 s").isTrue();
      String said = Files.readString(output, StandardCharsets.UTF_8);
      return process.exitValue() == 0 ? said : said + "exit code " + process.exitValue();
    } finally {
      Files.delete(input);
      Files.delete(output);
    }
  }
}
