package dev.weir.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.Stream;

/** What a run was measured on, and when. */
record Machine(String jdk, String cpu, int cores, String system, String date) {

  static Machine here() throws IOException {
    return new Machine(
        System.getProperty("java.vm.name") + " " + Runtime.version(),
        cpuModel(),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name") + " " + System.getProperty("os.arch"),
        LocalDate.now(ZoneOffset.UTC).toString());
  }

  @Override
  public String toString() {
    return "%s, %s, %d cores, %s, %s".formatted(jdk, cpu, cores, system, date);
  }

  private static String cpuModel() throws IOException {
    Path info = Path.of("/proc/cpuinfo");
    if (!Files.isReadable(info)) {
      return "unknown processor";
    }
    try (Stream<String> lines = Files.lines(info)) {
      return lines
          .filter(line -> line.startsWith("model name"))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("unknown processor");
    }
  }
}
