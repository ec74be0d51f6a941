package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.process.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A demo as a process of its own, whose temporary files are all in one folder. */
final class DemoProcess implements AutoCloseable {
  static final String PATH = System.getenv("PATH");

  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final String DASHBOARD = "dashboard: ";

  final Process process;
  final Path home;
  final Path temporary;
  final Path err;
  final List<String> said = new ArrayList<>();
  final String url;

  DemoProcess(Path folder, String path, int port, String... arguments) throws IOException {
    this.home = Files.createTempDirectory(folder, "demo");
    this.temporary = Files.createDirectory(home.resolve("tmp"));
    this.err = home.resolve("err.txt");
    List<String> command = JavaCommand.with();
    // As the launcher starts it.
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    command.add("-Djava.io.tmpdir=" + temporary);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Weir.class.getName()));
    command.addAll(List.of("demo", "--port", Integer.toString(port)));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile());
    // Settings of whoever runs it have no part in it.
    builder.environment().put("RATE_LIMIT_SERVER_ADMIN_TOKEN", "not for the demo");
    builder.environment().put("PATH", path);
    this.process = builder.redirectError(err.toFile()).start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = out.readLine();
    while (line != null && !line.startsWith(DASHBOARD)) {
      said.add(line);
      line = out.readLine();
    }
    this.url = line == null ? "" : line.substring(DASHBOARD.length());
  }

  Json.Members get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url + path)).build();
    HttpResponse<byte[]> answer =
        HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray());
    return (Json.Members) Json.parse(answer.body());
  }

  long sum(String column) throws IOException, InterruptedException {
    return get("v1/admin/live").items(column).stream().mapToLong(Json::number).sum();
  }

  void stop() throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("kill", "-TERM", Long.toString(process.pid())).start().waitFor())
        .isZero();
    assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
  }

  /** Waits until it ends by itself, as wrong input makes it; returns its exit code. */
  int exitCode() throws InterruptedException {
    assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  List<Path> leftBehind() throws IOException {
    return filesIn(temporary);
  }

  static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
