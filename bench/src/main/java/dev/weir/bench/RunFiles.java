package dev.weir.bench;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The raw results of one JDK in a folder, each kind in a file of its own that may be missing.
 *
 * @param folder where the files are
 * @param jdk the feature version, for example 17
 */
record RunFiles(Path folder, int jdk) {

  private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();

  /** One for each JDK that has results of that suite in the folder. */
  static List<RunFiles> all(Path folder, String suite) throws IOException {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths
          .map(path -> path.getFileName().toString())
          .filter(name -> name.matches(suite + "-\\d+\\.json"))
          .map(name -> Integer.valueOf(name.replaceAll("\\D", "")))
          .sorted()
          .map(jdk -> new RunFiles(folder, jdk))
          .toList();
    }
  }

  Optional<Machine> machine(String suite) throws IOException {
    return read("machine-" + suite, Machine.class);
  }

  /** JMH's results of a suite. */
  Optional<JmhResults> jmh(String suite) throws IOException {
    Path file = file(suite);
    return Files.exists(file)
        ? Optional.of(JmhResults.parse(Files.readString(file)))
        : Optional.empty();
  }

  List<MemoryPerKey.Result> memory() throws IOException {
    return read("memory", MemoryPerKey.Result[].class).map(List::of).orElse(List.of());
  }

  List<KeyFlood.Result> flood() throws IOException {
    return read("flood", KeyFlood.Result[].class).map(List::of).orElse(List.of());
  }

  List<RedisRun> redis() throws IOException {
    return read(RedisReport.SUITE, RedisRun[].class).map(List::of).orElse(List.of());
  }

  List<ControlRun> control() throws IOException {
    return read(ControlReport.SUITE, ControlRun[].class).map(List::of).orElse(List.of());
  }

  List<SpringRun> spring() throws IOException {
    return read(SpringReport.SUITE, SpringRun[].class).map(List::of).orElse(List.of());
  }

  List<BacktestRun> backtest() throws IOException {
    return read(BacktestReport.SUITE, BacktestRun[].class).map(List::of).orElse(List.of());
  }

  Optional<ServerRounds> server() throws IOException {
    return read(ServerReport.SUITE, ServerRounds.class);
  }

  void write(String kind, Object results) throws IOException {
    writeJson(kind, GSON.toJson(results) + "\n");
  }

  void writeJson(String kind, String json) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(file(kind), json);
  }

  private <T> Optional<T> read(String kind, Class<T> type) throws IOException {
    Path file = file(kind);
    return Files.exists(file)
        ? Optional.of(GSON.fromJson(Files.readString(file), type))
        : Optional.empty();
  }

  private Path file(String kind) {
    return folder.resolve(kind + "-" + jdk + ".json");
  }
}
