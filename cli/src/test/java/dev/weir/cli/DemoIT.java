package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.RedisServer;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir demo} as a process, to its end. */
class DemoIT {
  private static final Duration ALIVE = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String DASHBOARD = "dashboard: ";
  private static final String PATH = System.getenv("PATH");

  @TempDir private Path folder = Path.of("");

  /** A demo as a process of its own, whose temporary files are all in one folder. */
  private final class Running implements AutoCloseable {
    final Process process;
    final Path home = Files.createTempDirectory(folder, "demo");
    final Path temporary = Files.createDirectory(home.resolve("tmp"));
    final Path err = home.resolve("err.txt");
    final List<String> said = new ArrayList<>();
    final String url;

    Running(String path, int port, String... arguments) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      // As the launcher starts it.
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
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
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
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
      assertThat(
              new ProcessBuilder("kill", "-TERM", Long.toString(process.pid())).start().waitFor())
          .isZero();
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(143);
    }

    List<Path> leftBehind() throws IOException {
      return filesIn(temporary);
    }

    @Override
    public void close() {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  @Test
  void isAliveWithinSecondsAndLeavesNothingBehind() throws Exception {
    try (Running demo = new Running(PATH, 0, "--seed", "7")) {
      assertThat(demo.url).as(Files.readString(demo.err)).startsWith("http://127.0.0.1:");
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () ->
                  demo.sum("allowed") > 100
                      && demo.sum("throttled") > 0
                      && demo.sum("blocked") > 0);
      // In time of the processor, so that it holds beside other work on the machine.
      assertThat(demo.process.info().totalCpuDuration().orElse(Duration.ZERO)).isLessThan(ALIVE);
      assertThat(demo.said).singleElement().asString().startsWith("weir is ready on http://127");

      Json.Members stats = demo.get("v1/admin/stats");
      assertThat(PlainText.of(stats.get("endpoints"))).contains("chat", "search", "login");
      assertThat(demo.get("v1/admin/keys").items("keys")).hasSize(2);
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> {
                Json.Members kept = demo.get("v1/admin/audit?decision=allowed&limit=5");
                assertThat(kept.items("entries")).hasSize(5);
                assertThat(PlainText.of(demo.get("v1/admin/stats/rules").get("rules")))
                    .containsPattern(
                        "rule=slower_search matched=\\d+ throttled=0 shadow_refused=[1-9]");
              });

      demo.stop();

      assertThat(demo.leftBehind()).isEmpty();
      assertThat(filesIn(demo.home)).containsExactlyInAnyOrder(demo.temporary, demo.err);
      assertThat(Files.readString(demo.err)).isEmpty();
      int port = URI.create(demo.url).getPort();
      assertThat(accepts(port)).isFalse();
    }
  }

  private static List<Path> filesIn(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private static boolean accepts(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }

  @Test
  void aRedisThatFreezesDegradesItForAWhileAndIsGoneInTheEnd() throws Exception {
    // The program of the testkit, found as one that is installed.
    Path program;
    try (RedisServer server = RedisServer.start()) {
      ProcessHandle running = ProcessHandle.of(server.pid()).orElseThrow();
      Path source = Path.of(running.info().command().orElseThrow());
      program = Files.createDirectories(folder.resolve("bin")).resolve("redis-server");
      Files.copy(source, program);
      assertThat(program.toFile().setExecutable(true)).isTrue();
    }
    String path = program.getParent() + File.pathSeparator + PATH;
    try (Running demo = new Running(path, 0, "--slow-redis", "--rate", "50")) {
      assertThat(demo.url).as(Files.readString(demo.err)).startsWith("http://127.0.0.1:");
      assertThat(demo.said.get(0)).contains("counters in redis single");
      List<ProcessHandle> started = demo.process.descendants().toList();
      assertThat(started).hasSize(1);
      for (String status : List.of("degraded", "ready")) {
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> demo.get("readyz").text("status").equals(status));
      }
      assertThat(demo.sum("degraded")).isPositive();

      demo.stop();

      assertThat(started).noneMatch(ProcessHandle::isAlive);
      assertThat(demo.leftBehind()).isEmpty();
    }
  }

  @Test
  void withoutARedisToStartOneLineSaysWhatToInstall() throws Exception {
    Path empty = Files.createDirectories(folder.resolve("empty"));
    try (Running demo = new Running(empty.toString(), 0, "--slow-redis")) {
      assertThat(demo.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(demo.process.exitValue()).isEqualTo(1);
      assertThat(Files.readString(demo.err))
          .isEqualTo(
              "weir demo: --slow-redis: there is no redis-server on the PATH; install Redis, for"
                  + " example: apt-get install redis-server\n");
      assertThat(demo.leftBehind()).isEmpty();
    }
  }

  @Test
  void aPortThatIsTakenIsSaidInOneLineAndNothingStays() throws Exception {
    try (Running first = new Running(PATH, 0, "--rate", "1")) {
      int port = URI.create(first.url).getPort();
      try (Running second = new Running(PATH, port)) {
        assertThat(second.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(second.process.exitValue()).isEqualTo(1);
        assertThat(Files.readString(second.err))
            .startsWith("weir demo: server.listen: cannot listen on 127.0.0.1:" + port)
            .endsWith("--port takes another\n")
            .hasLineCount(1);
        assertThat(second.leftBehind()).isEmpty();
      }
    }
  }
}
