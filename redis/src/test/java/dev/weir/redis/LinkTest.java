package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.TestLevel;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Without a server: which of two threads comes first cannot be asked of a real one. */
class LinkTest {
  private static final int ROUNDS = TestLevel.isLong() ? 5_000 : 1_000;
  private static final RedisOptions SHORT =
      RedisOptions.defaults().withConnectTimeout(Duration.ofMillis(1));
  private static final long LONG_NANOS = Duration.ofSeconds(3).toNanos();

  /** Moved by each tick, further than a connection may be silent. */
  private final AtomicLong now = new AtomicLong();

  private final ExecutorService network = Executors.newFixedThreadPool(2);
  private final Refusals refusals =
      new Refusals(false, new KeyNames("ratelimit"), () -> now.get() / 1_000);

  /** Answers at once, until it is closed. */
  private static final class Wire implements Connection {
    private volatile boolean isOpen = true;

    private <T> CompletionStage<T> answer(T value) {
      return isOpen
          ? CompletableFuture.completedStage(value)
          : CompletableFuture.failedStage(new IllegalStateException("closed"));
    }

    @Override
    public CompletionStage<byte[]> run(
        Script script, byte[][] keys, byte[] request, boolean isForImport) {
      return answer(new byte[0]);
    }

    @Override
    public CompletionStage<List<SlotRange>> slots() {
      return answer(List.of());
    }

    @Override
    public CompletionStage<?> ping() {
      return answer("PONG");
    }

    @Override
    public CompletionStage<String> info() {
      return answer("");
    }

    @Override
    public CompletionStage<Boolean> mark(byte[] key, Duration life) {
      return answer(true);
    }

    @Override
    public boolean isOpen() {
      return isOpen;
    }

    @Override
    public void close() {
      isOpen = false;
    }
  }

  /** Opens connections on another thread, as the client does. */
  private class Wires implements Connection.Factory {
    @Override
    public CompletionStage<Connection> connect() {
      return CompletableFuture.supplyAsync(Wire::new, network);
    }

    @Override
    public CompletionStage<Connection.Subscription> subscribe(
        String channel, Consumer<String> messages) {
      return CompletableFuture.failedStage(new IllegalStateException("no news"));
    }

    @Override
    public String target() {
      return "wire";
    }

    @Override
    public boolean isFailedOver() {
      return false;
    }
  }

  /** Connections that come when the test says so. */
  private final class LateWires extends Wires {
    private final Queue<CompletableFuture<Connection>> awaited = new ConcurrentLinkedQueue<>();

    @Override
    public CompletionStage<Connection> connect() {
      CompletableFuture<Connection> late = new CompletableFuture<>();
      awaited.add(late);
      return late;
    }

    /** Waits until the link has asked for one more connection. */
    CompletableFuture<Connection> next(Link link) {
      Eventually.await()
          .until(
              () -> {
                tick(link);
                return !awaited.isEmpty();
              });
      return awaited.remove();
    }
  }

  private Link link() {
    return link(new Wires(), Connection::ping, RedisOptions.defaults());
  }

  private Link link(
      Wires wires, Function<Connection, CompletionStage<?>> greeting, RedisOptions options) {
    return new Link(
        wires,
        greeting,
        new Caretaker(wires.target(), false, () -> "marker", () -> {}, Timings.DEFAULT),
        new RoomNews(wires, "news", refusals, Timings.DEFAULT, now::get),
        options,
        Timings.DEFAULT,
        now::get);
  }

  private void tick(Link link) {
    link.tick(now.addAndGet(LONG_NANOS));
  }

  /** Its connection as soon as the server is trusted. */
  private Connection connected(Link link, int round) {
    while (!link.isTrusted()) {
      tick(link);
    }
    return Objects.requireNonNull(
        link.connection(), () -> "trusted without a connection in round " + round);
  }

  @AfterEach
  void stop() {
    network.shutdownNow();
  }

  @Test
  void isNeverTrustedWithoutAConnectionWhenATickMeetsANewOne() {
    for (int round = 0; round < ROUNDS; round++) {
      try (Link link = link()) {
        assertThat(connected(link, round).isOpen()).isTrue();
      }
    }
  }

  @Test
  void isNeverTrustedWithoutAConnectionWhenATickMeetsAnAnswer() {
    try (Link link = link()) {
      for (int round = 0; round < ROUNDS; round++) {
        Connection current = connected(link, round);
        link.broke(current);
        CompletableFuture<?> answer =
            CompletableFuture.runAsync(() -> link.answered(current), network);
        tick(link);
        answer.join();
        current.close();
      }
    }
  }

  @Test
  void aConnectionThatComesAfterTheTimeoutIsUsedUnlessThereIsAnother() {
    LateWires wires = new LateWires();
    try (Link link = link(wires, Connection::ping, SHORT)) {
      CompletableFuture<Connection> first = wires.next(link);
      // The link asks for another one as soon as the first has taken too long.
      CompletableFuture<Connection> second = wires.next(link);
      Wire late = new Wire();
      second.complete(late);
      assertThat(link.connection()).isSameAs(late);

      Wire tooLate = new Wire();
      first.complete(tooLate);
      assertThat(tooLate.isOpen()).isFalse();
      assertThat(link.connection()).isSameAs(late);
    }
  }

  @Test
  void aConnectionThatDoesNotAnswerTheGreetingIsClosed() {
    LateWires wires = new LateWires();
    try (Link link = link(wires, opened -> new CompletableFuture<>(), SHORT)) {
      Wire silent = new Wire();
      wires.next(link).complete(silent);

      Eventually.await().until(() -> !silent.isOpen());
      assertThat(link.isTrusted()).isFalse();
    }
  }
}
