package dev.weir.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.weir.testkit.process.Await;
import dev.weir.testkit.process.Ports;
import dev.weir.testkit.process.TemporaryFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RedisServerIT {

  @Test
  void answersOnceStarted() {
    try (RedisServer server = RedisServer.start();
        RespClient client = server.client()) {
      assertThat(client.call("SET", "key", "wört")).isEqualTo("OK");
      assertThat(client.call("GET", "key")).isEqualTo("wört");
      assertThat(client.call("GET", "other")).isNull();
      assertThat(client.call("INCR", "count")).isEqualTo(1L);
      assertThat(client.call("MGET", "key", "other", "count"))
          .asInstanceOf(LIST)
          .containsExactly("wört", null, "1");
      assertThat(client.number("DEL", "count")).isEqualTo(1);
      assertThatThrownBy(() -> client.text("GET", "other"))
          .hasMessage("GET: the reply must be a String, got null");
      assertThatThrownBy(() -> client.call("EVALSHA", "0".repeat(40), "0"))
          .isInstanceOfSatisfying(
              RespError.class, error -> assertThat(error.code()).isEqualTo("NOSCRIPT"));
      assertThat(server.uri()).isEqualTo("redis://127.0.0.1:" + server.port());
    }
  }

  @Test
  void anErrorAmongSeveralRepliesSpoilsNoLaterOne() {
    try (RedisServer server = RedisServer.start();
        RespClient client = server.client()) {
      List<List<String>> commands =
          List.of(List.of("SET", "key", "word"), List.of("INCR", "key"), List.of("GET", "key"));
      assertThatThrownBy(() -> client.callAll(commands))
          .hasMessage("ERR value is not an integer or out of range");
      assertThat(client.call("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void saysThatItsPortIsTaken() throws IOException {
    try (RedisServer first = RedisServer.start();
        TemporaryFolder folder = TemporaryFolder.create("redis")) {
      Files.write(
          folder.path().resolve("redis.conf"), RedisConfig.plain().linesFor(first.port(), 0));
      RedisProcess second = RedisProcess.start(folder.path(), List.of());
      Await.until("the second server ends", Duration.ofSeconds(10), () -> !second.isAlive());

      assertThat(second.lastWords()).matches(Ports::wasTaken);
    }
  }

  @Test
  void writesNothingToDiskByDefault() {
    try (RedisServer server = RedisServer.start();
        RespClient client = server.client()) {
      assertThat(client.call("CONFIG", "GET", "save")).isEqualTo(List.of("save", ""));
      assertThat(client.call("CONFIG", "GET", "appendonly")).isEqualTo(List.of("appendonly", "no"));
    }
  }

  @Test
  void leavesNoProcessAndNoFolderOnceClosed() {
    RedisServer server = RedisServer.start();
    Path folder = folder(server);
    assertThat(folder).exists();
    long pid = server.pid();
    server.close();
    server.close();
    assertThat(ProcessHandle.of(pid)).isEmpty();
    assertThat(folder).doesNotExist();
  }

  @Test
  void closesWhenPaused() {
    RedisServer server = RedisServer.start();
    server.pause();
    assertThat(server.isAlive()).isTrue();
    server.close();
    assertThat(ProcessHandle.of(server.pid())).isEmpty();
  }

  @Test
  void pausedAcceptsButDoesNotAnswerUntilResumed() {
    try (RedisServer server = RedisServer.start()) {
      server.pause();
      try (RespClient client =
          RespClient.connect(server.host(), server.port(), Duration.ofMillis(100))) {
        assertThatThrownBy(() -> client.call("PING"))
            .isInstanceOf(UncheckedIOException.class)
            .hasCauseInstanceOf(SocketTimeoutException.class)
            .hasMessageStartingWith("PING: ");
      }
      server.resume();
      try (RespClient client = server.client()) {
        assertThat(client.call("PING")).isEqualTo("PONG");
      }
    }
  }

  @Test
  void killedRefusesAndComesBackEmptyOnTheSamePort() {
    try (RedisServer server = RedisServer.start()) {
      int port = server.port();
      set(server, "1");
      server.kill();
      assertThat(server.isAlive()).isFalse();
      assertThatThrownBy(server::client).hasMessageContaining(port + ": Connection refused");
      assertThatThrownBy(server::pause).hasMessageMatching("redis-server with pid \\d+ has ended");

      server.restartEmpty();
      assertThat(server.port()).isEqualTo(port);
      assertThat(get(server)).isNull();
    }
  }

  @Test
  void restartsWithItsData() {
    try (RedisServer server = RedisServer.start()) {
      set(server, "7");
      server.pause();
      server.restartKeepingData();
      assertThat(get(server)).isEqualTo("7");
      server.restartEmpty();
      assertThat(get(server)).isNull();
    }
  }

  @Test
  void withAppendOnlyAKilledServerKeepsItsData() {
    try (RedisServer server = RedisServer.start(RedisConfig.plain().withAppendOnly())) {
      set(server, "7");
      server.kill();
      server.restartKeepingData();
      assertThat(get(server)).isEqualTo("7");
      server.restartEmpty();
      assertThat(get(server)).isNull();
    }
  }

  @Test
  void asksForThePasswordAndKnowsUsers() {
    RedisConfig config =
        RedisConfig.plain().withPassword("secret").withUser("weir", "on >word ~weir:* +get +set");
    try (RedisServer server = RedisServer.start(config);
        RespClient stranger = RespClient.connect(server.host(), server.port())) {
      assertThat(server.uri()).isEqualTo("redis://:secret@127.0.0.1:" + server.port());
      assertThatThrownBy(() -> stranger.call("GET", "key")).hasMessageStartingWith("NOAUTH ");
      stranger.call("AUTH", "weir", "word");
      assertThat(stranger.call("SET", "weir:key", "1")).isEqualTo("OK");
      assertThatThrownBy(() -> stranger.call("GET", "key")).hasMessageStartingWith("NOPERM ");
      set(server, "1");
      server.restartKeepingData();
      assertThat(get(server)).isEqualTo("1");
    }
  }

  @Test
  void takesFurtherLines() {
    RedisConfig config =
        RedisConfig.plain().with("maxmemory 1mb", "maxmemory-policy noeviction", "save 60 1");
    try (RedisServer server = RedisServer.start(config);
        RespClient client = server.client()) {
      assertThat(client.call("CONFIG", "GET", "save")).isEqualTo(List.of("save", "60 1"));
      assertThatThrownBy(
              () -> {
                for (int i = 0; ; i++) {
                  client.call("SET", "key" + i, "x".repeat(100_000));
                }
              })
          .hasMessageStartingWith("OOM ");
    }
  }

  @Test
  void replicates() {
    RedisConfig config = RedisConfig.plain().withPassword("secret");
    try (RedisServer master = RedisServer.start(config);
        RedisServer replica = RedisServer.start(config.replicaOf(master))) {
      set(master, "7");
      Await.until("replicated", Duration.ofSeconds(5), () -> "7".equals(get(replica)));
      assertThatThrownBy(() -> set(replica, "8")).hasMessageStartingWith("READONLY ");
    }
  }

  @Test
  void saysWhyItDidNotStart() {
    RedisConfig config = RedisConfig.plain().with("no-such-directive yes");
    assertThatThrownBy(() -> RedisServer.start(config))
        .hasMessageStartingWith("redis-server did not start:\n")
        .hasMessageContaining("no-such-directive");
  }

  @Test
  void aLineOfConfigIsOneLine() {
    assertThatThrownBy(() -> RedisConfig.plain().with("save 60 1\nappendonly yes"))
        .hasMessage("a line must be one line, got \"save 60 1\nappendonly yes\"");
  }

  @Test
  void saysWhatToInstallWhereThereIsNoBinary() {
    assertThatThrownBy(() -> RedisBinary.find("Plan 9", "mips", "/no/such/folder"))
        .hasMessage(
            "no redis-server for Plan 9 on mips; install Redis 7, for example: apt-get install redis-server");
  }

  @Test
  void takesTheBinaryOnThePathWhereTheJarHasNone() {
    Path binary = RedisBinary.path();
    assertThat(RedisBinary.find("Plan 9", "mips", ":/no/such/folder:" + binary.getParent()))
        .isEqualTo(binary);
  }

  @Test
  void theEndOfTheJvmEndsAPausedServer() throws IOException {
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ForgetfulMain.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> lines =
        new String(jvm.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    assertThat(jvm.onExit().join().exitValue()).isZero();
    assertThat(lines).hasSize(3);
    assertThat(ProcessHandle.of(Long.parseLong(lines.get(0)))).isEmpty();
    assertThat(Path.of(lines.get(1))).doesNotExist();
    assertThat(Path.of(lines.get(2))).doesNotExist();
  }

  /** Starts and pauses a server, and ends without closing it. */
  static final class ForgetfulMain {
    private ForgetfulMain() {}

    public static void main(String[] arguments) {
      RedisServer server = RedisServer.start();
      System.out.println(server.pid());
      System.out.println(folder(server));
      System.out.println(RedisBinary.path().getParent());
      server.pause();
      System.exit(0);
    }
  }

  private static Path folder(RedisServer server) {
    try (RespClient client = server.client()) {
      return Path.of((String) client.list("CONFIG", "GET", "dir").get(1));
    }
  }

  private static void set(RedisServer server, String value) {
    try (RespClient client = server.client()) {
      client.call("SET", "key", value);
    }
  }

  private static @Nullable Object get(RedisServer server) {
    try (RespClient client = server.client()) {
      return client.call("GET", "key");
    }
  }
}
