package dev.weir.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitStatus;
import dev.weir.Operation;
import dev.weir.Reason;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RefusalsTest {
  private static final Limit LIMIT = Limit.parse("10/m");
  private static final long AT = 1_700_000_000_000_000L;

  private final AtomicLong micros = new AtomicLong(1_000_000);
  private final KeyNames names = new KeyNames("ratelimit");
  private final Refusals refusals = new Refusals(true, names, micros::get);
  private final Heard servers = new Heard();

  /** One server that is heard or not. */
  private static final class Heard implements Servers {
    private boolean isHeard = true;

    @Override
    public int place(String key) {
      return 0;
    }

    @Override
    public void bring(Asked asked) {
      throw new IllegalStateException("nothing is asked");
    }

    @Override
    public boolean isHeard(int place) {
      return isHeard;
    }

    @Override
    public boolean isReachable() {
      return true;
    }

    @Override
    public Collection<Courier> couriers() {
      return List.of();
    }

    @Override
    public CompletableFuture<@Nullable Void> firstTry() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void tick() {}

    @Override
    public void close() {}
  }

  private static Operation.Acquire acquire(String key) {
    return new Operation.Acquire(List.of(new Counter("n", key, LIMIT)), 1);
  }

  private static Decision refused(Operation operation, long retryAfter) {
    return new Decision(
        Reason.LIMIT_EXCEEDED,
        AT,
        retryAfter,
        0,
        List.of(new LimitStatus("n", operation.counters().get(0).limit(), 0, AT + 60_000_000)));
  }

  private Refusals.Ticket ticket(Operation.Acquire operation) {
    return Objects.requireNonNull(refusals.ticket(operation, 0));
  }

  private void remember(Operation.Acquire operation, long retryAfter) {
    ticket(operation).answered(refused(operation, retryAfter), 0);
  }

  @Test
  void givesARefusalAgainWithTheTimeThatIsLeft() {
    remember(acquire("a"), 6_000_000);
    micros.addAndGet(1_500_000);
    Decision again = Objects.requireNonNull(refusals.recall(acquire("a"), servers));

    assertThat(again.atMicros()).isEqualTo(AT + 1_500_000);
    assertThat(again.retryAfterMicros()).isEqualTo(4_500_000);
    assertThat(refusals.recall(acquire("b"), servers)).isNull();
    assertThat(refusals.recalled()).isEqualTo(1);
  }

  @Test
  void endsWithTheRetryAfterAndAfterHalfAMinute() {
    remember(acquire("a"), 6_000_000);
    remember(acquire("b"), 60_000_000);
    micros.addAndGet(5_999_999);
    assertThat(refusals.recall(acquire("a"), servers)).isNotNull();
    micros.addAndGet(1);
    assertThat(refusals.recall(acquire("a"), servers)).isNull();
    assertThat(refusals.recall(acquire("b"), servers)).isNotNull();
    micros.addAndGet(24_000_000);

    assertThat(refusals.recall(acquire("b"), servers)).isNull();
  }

  @Test
  void isForgottenWhenItsCounterHasRoomAndOthersStay() {
    remember(acquire("a"), 6_000_000);
    remember(acquire("b"), 6_000_000);
    refusals.hasRoom(names.counter("n", "a"));

    assertThat(refusals.recall(acquire("a"), servers)).isNull();
    assertThat(refusals.recall(acquire("b"), servers)).isNotNull();
  }

  @Test
  void newsThatOvertakesTheAnswerIsNotMissed() {
    Operation.Acquire operation = acquire("a");
    Refusals.Ticket ticket = ticket(operation);
    refusals.hasRoom(names.counter("n", "a"));
    ticket.answered(refused(operation, 6_000_000), 0);

    assertThat(refusals.recall(operation, servers)).isNull();
  }

  @Test
  void allAreForgottenWhenNewsMayHaveBeenMissed() {
    remember(acquire("a"), 6_000_000);
    servers.isHeard = false;
    assertThat(refusals.recall(acquire("a"), servers)).isNull();
    servers.isHeard = true;
    assertThat(refusals.recall(acquire("a"), servers)).isNotNull();
    refusals.forgetAll();

    assertThat(refusals.recall(acquire("a"), servers)).isNull();
  }

  @Test
  void remembersAHundredThousandClientsThatHammerAtOnce() {
    IntStream.range(0, 100_000).forEach(i -> remember(acquire("user:" + i), 20_000_000 + i));
    long found =
        IntStream.range(0, 100_000)
            .filter(i -> refusals.recall(acquire("user:" + i), servers) != null)
            .count();

    assertThat(found).isGreaterThan(99_000);
  }
}
