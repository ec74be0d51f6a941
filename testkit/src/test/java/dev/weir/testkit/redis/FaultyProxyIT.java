package dev.weir.testkit.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.testkit.process.Await;
import dev.weir.testkit.process.Ports;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FaultyProxyIT {
  private static final Duration SHORT = Duration.ofMillis(150);
  private static final Duration LONG = Duration.ofSeconds(60);

  private static RedisServer server;
  private FaultyProxy proxy;

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void startProxy() {
    count("DEL");
    proxy = FaultyProxy.before(server);
  }

  @AfterEach
  void stopProxy() {
    proxy.close();
  }

  @Test
  void passesAndCounts() {
    try (RespClient client = connect(LONG)) {
      assertThat(client.call("PING")).isEqualTo("PONG");
      assertThat(proxy.connections()).isEqualTo(1);
      assertThat(proxy.openConnections()).isEqualTo(1);
      assertThat(proxy.bytesToServer()).isEqualTo("*1\r\n$4\r\nPING\r\n".length());
      assertThat(proxy.bytesToClient()).isEqualTo("+PONG\r\n".length());
      assertThat(proxy.bytesSwallowed()).isZero();
      String large = "x".repeat(1_000_000);
      client.call("SET", "large", large);
      assertThat(client.call("GET", "large")).isEqualTo(large);
    }
    Await.until("the connection is closed", LONG, () -> proxy.openConnections() == 0);
    assertThat(proxy.uri()).isEqualTo("redis://127.0.0.1:" + proxy.port());
  }

  @Test
  void blackHoleAcceptsAndStaysSilent() {
    try (RespClient before = connect(SHORT)) {
      before.call("PING");
      proxy.blackHole();
      assertTimesOut(() -> before.call("INCR", "count"));
    }
    try (RespClient during = connect(SHORT)) {
      assertTimesOut(() -> during.call("INCR", "count"));
    }
    assertThat(proxy.bytesSwallowed()).isPositive();
    proxy.pass();
    try (RespClient after = connect(LONG)) {
      assertThat(after.number("INCR", "count")).isEqualTo(1);
    }
  }

  @Test
  void blackHoleHidesTheEndOfTheServer() {
    try (RedisServer doomed = RedisServer.start();
        FaultyProxy before = FaultyProxy.before(doomed);
        RespClient client = RespClient.connect(before.host(), before.port(), SHORT)) {
      client.call("PING");
      before.blackHole();
      doomed.kill();
      assertTimesOut(() -> client.call("PING"));
    }
  }

  @Test
  void swallowedReplyLeavesTheCommandDoneAndTheConnectionReset() {
    try (RespClient client = connect(LONG)) {
      client.call("PING");
      proxy.swallowReplies();
      CompletableFuture<@Nullable Throwable> failure = incrementLater(client);
      Await.until("the command is done", LONG, () -> count("GET").equals("1"));
      Await.until("the reply is lost", LONG, () -> proxy.bytesSwallowed() == ":1\r\n".length());
      proxy.pass();
      assertThat(failure.join()).hasRootCauseInstanceOf(SocketException.class);
    }
    assertThat(count("GET")).isEqualTo("1");
  }

  @Test
  void heldBytesArriveLate() {
    try (RespClient client = connect(LONG)) {
      client.call("PING");
      proxy.hold();
      CompletableFuture<@Nullable Throwable> failure = incrementLater(client);
      try (RespClient other = connect(SHORT)) {
        assertTimesOut(() -> other.call("PING"));
      }
      assertThat(count("GET")).isEqualTo("null");
      proxy.pass();
      assertThat(failure.join()).isNull();
      assertThat(client.number("INCR", "count")).isEqualTo(2);
    }
  }

  @Test
  void heldRepliesArriveLateAndOnlyLaterOnesAreSwallowed() {
    try (RespClient client = connect(LONG)) {
      client.call("PING");
      proxy.holdReplies();
      CompletableFuture<@Nullable Throwable> first = incrementLater(client);
      Await.until("the reply is held", LONG, () -> proxy.bytesHeld() == ":1\r\n".length());
      assertThat(count("GET")).isEqualTo("1");
      assertThat(first).isNotDone();
      proxy.swallowReplies();
      assertThat(first.join()).isNull();
      CompletableFuture<@Nullable Throwable> second = incrementLater(client);
      Await.until("the reply is lost", LONG, () -> proxy.bytesSwallowed() == ":2\r\n".length());
      proxy.pass();
      assertThat(second.join()).hasRootCauseInstanceOf(SocketException.class);
    }
  }

  @Test
  void manyHeldRepliesArrive() {
    try (RespClient client = connect(LONG)) {
      client.call("PING");
      proxy.holdReplies();
      List<List<String>> many = Collections.nCopies(10_000, List.of("INCR", "count"));
      CompletableFuture<List<@Nullable Object>> replies =
          CompletableFuture.supplyAsync(() -> client.callAll(many));
      Await.until("the commands are done", LONG, () -> count("GET").equals("10000"));
      proxy.pass();
      assertThat(replies.join()).hasSize(10_000).endsWith(10_000L);
    }
  }

  @Test
  void refusesNewConnectionsAndKeepsOldOnes() {
    try (RespClient client = connect(LONG)) {
      client.call("PING");
      proxy.refuse();
      proxy.refuse();
      assertThatThrownBy(() -> connect(LONG).close()).hasMessageContaining("Connection refused");
      assertThat(client.call("PING")).isEqualTo("PONG");
      proxy.pass();
      try (RespClient other = connect(LONG)) {
        assertThat(other.call("PING")).isEqualTo("PONG");
      }
    }
  }

  @Test
  void cutResetsConnections() {
    try (RespClient client = connect(LONG)) {
      client.call("PING");
      proxy.cut();
      assertThat(proxy.openConnections()).isZero();
      assertThatThrownBy(() -> client.call("PING"))
          .isInstanceOf(UncheckedIOException.class)
          .hasRootCauseInstanceOf(SocketException.class)
          .hasMessageContaining("reset");
      try (RespClient other = connect(LONG)) {
        assertThat(other.call("PING")).isEqualTo("PONG");
      }
    }
  }

  @Test
  void resetsAClientWhoseServerIsNotThere() {
    try (FaultyProxy nowhere = FaultyProxy.before("127.0.0.1", Ports.free())) {
      // The reset may come as early as in the connect.
      assertThatThrownBy(() -> ping(nowhere)).hasRootCauseInstanceOf(SocketException.class);
    }
  }

  private static void ping(FaultyProxy proxy) {
    try (RespClient client = RespClient.connect(proxy.host(), proxy.port(), LONG)) {
      client.call("PING");
    }
  }

  private RespClient connect(Duration timeout) {
    return RespClient.connect(proxy.host(), proxy.port(), timeout);
  }

  private static CompletableFuture<@Nullable Throwable> incrementLater(RespClient client) {
    return CompletableFuture.supplyAsync(() -> client.call("INCR", "count"))
        .handle((reply, failure) -> failure);
  }

  private static String count(String command) {
    try (RespClient client = server.client()) {
      return String.valueOf(client.call(command, "count"));
    }
  }

  private static void assertTimesOut(ThrowingCallable call) {
    assertThatThrownBy(call).hasRootCauseInstanceOf(SocketTimeoutException.class);
  }
}
