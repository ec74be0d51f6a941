package dev.weir.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FakeRedisTest {

  @Test
  void answersWhatAClientAsksAtFirst() {
    try (FakeRedis fake = FakeRedis.start(command -> null);
        RespClient client = connect(fake)) {
      assertThatThrownBy(() -> client.call("HELLO", "3"))
          .isInstanceOf(RespError.class)
          .hasMessageStartingWith("ERR unknown command `HELLO`");
      assertThat(client.call("client", "SETINFO", "lib-name", "weir")).isEqualTo("OK");
      assertThat(client.call("AUTH", "secret")).isEqualTo("OK");
      assertThat(client.call("SELECT", "1")).isEqualTo("OK");
      assertThat(client.call("PING")).isEqualTo("PONG");
      assertThat(client.text("INFO", "server")).contains("redis_version:");
      assertThat(fake.uri()).isEqualTo("redis://127.0.0.1:" + fake.port());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "LOADING Redis is loading the dataset in memory",
        "BUSY Redis is busy running a script.",
        "OOM command not allowed when used memory > 'maxmemory'.",
        "MISCONF Redis is configured to save RDB snapshots",
        "CLUSTERDOWN The cluster is down"
      })
  void answersAnyError(String error) {
    try (FakeRedis fake =
            FakeRedis.start(command -> on(command, "EVALSHA", RespReply.error(error)));
        RespClient client = connect(fake)) {
      assertThatThrownBy(() -> client.call("EVALSHA", "abc", "0"))
          .isInstanceOfSatisfying(
              RespError.class,
              e -> assertThat(e.code()).isEqualTo(error.substring(0, error.indexOf(' '))))
          .hasMessage(error);
      assertThat(client.call("PING")).isEqualTo("PONG");
    }
  }

  @Test
  void answersAnyKindOfReply() {
    String reply =
        RespReply.list(
            RespReply.OK,
            RespReply.number(-7),
            RespReply.bulk("ä\r\n"),
            RespReply.NULL,
            RespReply.list(),
            RespReply.error("ERR inside"));
    try (FakeRedis fake = FakeRedis.start(command -> reply);
        RespClient client = connect(fake)) {
      List<?> values = client.list("ANY");
      assertThat(values.subList(0, 5))
          .isEqualTo(Arrays.asList("OK", -7L, "ä\r\n", null, List.of()));
      assertThat(values.get(5)).isInstanceOf(RespError.class);
      assertThat(fake.commands()).containsExactly(List.of("ANY"));
    }
  }

  @Test
  void changesItsScript() {
    try (FakeRedis fake = FakeRedis.start(command -> RespReply.number(1));
        RespClient client = connect(fake)) {
      assertThat(client.number("GET", "key")).isEqualTo(1);
      fake.script(command -> RespReply.number(2));
      assertThat(client.number("GET", "key")).isEqualTo(2);
    }
  }

  @Test
  void mayGiveNoReply() {
    try (FakeRedis fake = FakeRedis.start(command -> RespReply.NONE);
        RespClient client = RespClient.connect(fake.host(), fake.port(), Duration.ofMillis(100))) {
      assertThatThrownBy(() -> client.call("PING"))
          .hasRootCauseInstanceOf(SocketTimeoutException.class);
    }
  }

  @Test
  void refusesConnectionsWithAReply() {
    String full = "ERR max number of clients reached";
    try (FakeRedis fake = FakeRedis.start(command -> null)) {
      fake.refuseConnections(RespReply.error(full));
      try (RespClient client = connect(fake)) {
        assertThatThrownBy(() -> client.call("PING")).hasMessage(full);
      }
      fake.acceptConnections();
      try (RespClient client = connect(fake)) {
        assertThat(client.call("PING")).isEqualTo("PONG");
      }
      assertThat(fake.connections()).isEqualTo(2);
    }
  }

  @Test
  void closesItsConnections() {
    FakeRedis fake = FakeRedis.start(command -> null);
    try (RespClient client = connect(fake)) {
      client.call("PING");
      fake.close();
      assertThatThrownBy(() -> client.call("PING")).isInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void clientRefusesWhatIsNoResp() {
    try (FakeRedis fake = FakeRedis.start(command -> "HTTP/1.1 400 Bad Request\r\n");
        RespClient client = connect(fake)) {
      assertThatThrownBy(() -> client.call("PING"))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining(
              "a RESP value must begin with one of + - : $ *, got \"HTTP/1.1 400 Bad Request\"");
    }
  }

  private static @Nullable String on(List<String> command, String name, String reply) {
    return command.get(0).equals(name) ? reply : null;
  }

  private static RespClient connect(FakeRedis fake) {
    return RespClient.connect(fake.host(), fake.port());
  }
}
