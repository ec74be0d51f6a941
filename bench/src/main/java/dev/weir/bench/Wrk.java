package dev.weir.bench;

import dev.weir.testkit.process.Program;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;

/**
 * Asks over HTTP as fast as it goes, by wrk. It has as many threads as there are cores, so that it
 * is not what all wait for.
 *
 * @param program wrk
 * @param script what it runs
 * @param requests the file from which it draws
 */
record Wrk(Program program, Path script, Path requests) {

  /** Writes its files into a folder: requests of that many clients. */
  static Wrk prepare(ServerCall call, int clients, Path folder) throws IOException {
    return prepare(call.requests(clients), "requests-" + clients, folder);
  }

  /** Writes its files into a folder, the requests into that one. */
  static Wrk prepare(byte[][] all, String name, Path folder) throws IOException {
    Files.createDirectories(folder);
    Path script = folder.resolve("requests.lua");
    try (InputStream resource = Wrk.class.getResourceAsStream("requests.lua")) {
      if (resource == null) {
        throw new IOException("requests.lua is missing");
      }
      Files.copy(resource, script, StandardCopyOption.REPLACE_EXISTING);
    }
    Path requests = folder.resolve(name);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(requests))) {
      for (byte[] request : all) {
        out.write(request);
        out.write(0);
      }
    }
    return new Wrk(Program.required("wrk"), script, requests);
  }

  /**
   * Asks for that long, of which wrk knows whole seconds; what the server uses is not looked at.
   */
  ServerLoad.Stretch run(int port, int connections, Duration span)
      throws IOException, InterruptedException {
    int threads = Runtime.getRuntime().availableProcessors();
    Process wrk =
        program
            .command(
                "--threads",
                "" + threads,
                "--connections",
                "" + connections,
                "--duration",
                span.toSeconds() + "s",
                "--timeout",
                "10s",
                "--script",
                script.toString(),
                "http://127.0.0.1:" + port,
                "--",
                requests.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (wrk.waitFor() != 0) {
      throw new IOException("wrk failed:\n" + output);
    }
    List<String> last = List.of(output.strip().lines().reduce("", (a, b) -> b).split(" ", -1));
    long count = Long.parseLong(last.get(0));
    double seconds = Long.parseLong(last.get(1)) / 1e6;
    long bad = Long.parseLong(last.get(2));
    return new ServerLoad.Stretch(count, seconds, Duration.ZERO, Duration.ZERO, bad);
  }
}
