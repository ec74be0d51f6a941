package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Without a server: which of two threads comes first cannot be asked of a real one. */
class LinkTest {
  private static final int ROUNDS = 5_000;
  private static final long LONG_NANOS = Duration.ofSeconds(3).toNanos();

  /** Far ahead of the time at which a connection came, and further with each tick. */
  private long now = System.nanoTime();

  private final ExecutorService network = Executors.newFixedThreadPool(2);
  private final Refusals refusals =
      new Refusals(false, new KeyNames("ratelimit"), () -> System.nanoTime() / 1_000);

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
  private final class Wires implements Connection.Factory {
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

  private Link link() {
    Wires wires = new Wires();
    return new Link(
        wires,
        Connection::ping,
        new Caretaker(wires.target(), false, () -> "marker", () -> {}),
        new RoomNews(wires, "news", refusals),
        RedisOptions.defaults());
  }

  private void tick(Link link) {
    now += LONG_NANOS;
    link.tick(now);
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
}
