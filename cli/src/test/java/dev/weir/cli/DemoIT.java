package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.redis.RedisServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code weir demo} as a process, to its end. */
class DemoIT {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @TempDir private Path folder = Path.of("");

  @Test
  void isAliveAndLeavesNothingBehind() throws Exception {
    try (DemoProcess demo = new DemoProcess(folder, DemoProcess.PATH, 0, "--seed", "7")) {
      assertThat(demo.url).as(Files.readString(demo.err)).startsWith("http://127.0.0.1:");
      Awaitility.await()
          .atMost(TIMEOUT)
          .until(
              () ->
                  demo.sum("allowed") > 100
                      && demo.sum("throttled") > 0
                      && demo.sum("blocked") > 0);
      assertThat(demo.said).singleElement().asString().startsWith("weir is ready on http://127");

      Json.Members stats = demo.get("v1/admin/stats");
      assertThat(PlainText.of(stats.get("endpoints"))).contains("chat", "search", "login");
      assertThat(demo.get("v1/admin/keys").items("items")).hasSize(2);
      Awaitility.await()
          .atMost(TIMEOUT)
          .untilAsserted(
              () -> {
                Json.Members kept = demo.get("v1/admin/audit?decision=allowed&limit=5");
                assertThat(kept.items("items")).hasSize(5);
                assertThat(PlainText.of(demo.get("v1/admin/stats/rules").get("rules")))
                    .containsPattern(
                        "rule=slower_search matched=\\d+ throttled=0 shadow_refused=[1-9]");
              });
      int port = URI.create(demo.url).getPort();
      aPortThatIsTakenIsSaidInOneLineAndNothingStays(port);

      demo.stop();

      assertThat(demo.leftBehind()).isEmpty();
      assertThat(DemoProcess.filesIn(demo.home))
          .containsExactlyInAnyOrder(demo.temporary, demo.err);
      assertThat(Files.readString(demo.err)).isEmpty();
      assertThat(accepts(port)).isFalse();
    }
  }

  private void aPortThatIsTakenIsSaidInOneLineAndNothingStays(int port) throws Exception {
    try (DemoProcess second = new DemoProcess(folder, DemoProcess.PATH, port)) {
      assertThat(second.exitCode()).isEqualTo(1);
      assertThat(Files.readString(second.err))
          .startsWith("weir demo: server.listen: cannot listen on 127.0.0.1:" + port)
          .endsWith("--port takes another\n")
          .hasLineCount(1);
      assertThat(second.leftBehind()).isEmpty();
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
    String path = pathWithRedis(folder);
    // Failed decisions count for up to 4 s, so the service is ready again only if Redis runs
    // longer.
    String[] arguments = {"--slow-redis", "--rate", "50", "--freezes", "500ms,3s,8s"};
    try (DemoProcess demo = new DemoProcess(folder, path, 0, arguments)) {
      List<ProcessHandle> started = assertIsDegradedForAWhile(demo);

      demo.stop();

      assertThat(started).noneMatch(ProcessHandle::isAlive);
      assertThat(demo.leftBehind()).isEmpty();
    }
  }

  /** A PATH with the program of the testkit, found as one that is installed. */
  static String pathWithRedis(Path folder) throws IOException {
    ProcessHandle running = ProcessHandle.of(RedisServer.shared().pid()).orElseThrow();
    Path source = Path.of(running.info().command().orElseThrow());
    Path program = Files.createDirectories(folder.resolve("bin")).resolve("redis-server");
    Files.copy(source, program);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return program.getParent() + File.pathSeparator + DemoProcess.PATH;
  }

  /** Returns the Redis process that the demo started. */
  static List<ProcessHandle> assertIsDegradedForAWhile(DemoProcess demo) throws Exception {
    assertThat(demo.url).as(Files.readString(demo.err)).startsWith("http://127.0.0.1:");
    assertThat(demo.said.get(0)).contains("counters in redis single");
    List<ProcessHandle> started = demo.process.descendants().toList();
    assertThat(started).hasSize(1);
    for (String status : List.of("degraded", "ready")) {
      Awaitility.await()
          .atMost(TIMEOUT)
          .until(() -> demo.get("readyz").text("status").equals(status));
    }
    // The first freeze may have come before there was traffic.
    Awaitility.await().atMost(TIMEOUT).until(() -> demo.sum("degraded") > 0);
    return started;
  }

  @Test
  void withoutARedisToStartOneLineSaysWhatToInstall() throws Exception {
    Path empty = Files.createDirectories(folder.resolve("empty"));
    try (DemoProcess demo = new DemoProcess(folder, empty.toString(), 0, "--slow-redis")) {
      assertThat(demo.exitCode()).isEqualTo(1);
      assertThat(Files.readString(demo.err))
          .isEqualTo(
              "weir demo: --slow-redis: there is no redis-server on the PATH; install Redis, for"
                  + " example: apt-get install redis-server\n");
      assertThat(demo.leftBehind()).isEmpty();
    }
  }
}
