package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When a server is checked, on a clock of its own and without a server. */
class CaretakerTest {
  private static final long CHECK_NANOS = Timings.DEFAULT.check().toNanos();

  private final Caretaker caretaker =
      new Caretaker("target", false, () -> "marker", () -> {}, Timings.DEFAULT);

  /** Says nothing until it is told to. */
  private static final class Server implements Connection {
    private CompletableFuture<String> info = new CompletableFuture<>();
    private int asked;

    @Override
    public CompletionStage<byte[]> run(
        Script script, byte[][] keys, byte[] request, boolean isForImport) {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<List<SlotRange>> slots() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<?> ping() {
      throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<String> info() {
      asked++;
      return info;
    }

    @Override
    public CompletionStage<Boolean> mark(byte[] key, Duration life) {
      return CompletableFuture.completedStage(true);
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {}
  }

  @Test
  @DisplayName("there is never more than one look under way")
  void waitsForOneLookBeforeTheNext() {
    Server server = new Server();
    for (int i = 0; i < 10; i++) {
      caretaker.tick(server, i * CHECK_NANOS);
    }
    assertThat(server.asked).isEqualTo(1);
    assertThat(caretaker.unansweredNanos(10 * CHECK_NANOS)).isEqualTo(10 * CHECK_NANOS);

    server.info.complete("# Server\r\nredis_version:7.0.15\r\n");
    server.info = new CompletableFuture<>();
    assertThat(caretaker.unansweredNanos(10 * CHECK_NANOS)).isZero();
    caretaker.tick(server, 10 * CHECK_NANOS);
    assertThat(server.asked).isEqualTo(2);
  }

  @Test
  void looksAgainWhenItIsTimeTo() {
    Server server = new Server();
    server.info.complete("# Server\r\nredis_version:7.0.15\r\n");
    caretaker.tick(server, 0);
    caretaker.tick(server, CHECK_NANOS - 1);
    assertThat(server.asked).isEqualTo(1);
    caretaker.tick(server, CHECK_NANOS);

    assertThat(server.asked).isEqualTo(2);
  }

  @Test
  void looksAtAnotherConnectionAtOnce() {
    Server first = new Server();
    Server second = new Server();
    caretaker.tick(first, 0);
    caretaker.tick(second, 1);

    assertThat(second.asked).isEqualTo(1);
  }
}
