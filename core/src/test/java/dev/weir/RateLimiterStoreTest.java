package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** A limiter on a store that is not in memory and answers later. */
class RateLimiterStoreTest {

  /** Counts in memory, but answers on another thread, or with a failure. */
  private static final class RemoteStore implements CounterStore {
    private final MemoryCounterStore counters;
    final List<Operation> operations = new CopyOnWriteArrayList<>();
    volatile Throwable failure = new IOException("not set");
    volatile boolean fails;
    volatile boolean throwsIt;

    RemoteStore(TimeSource time) {
      this.counters = new MemoryCounterStore(time, 100);
    }

    @Override
    public CompletionStage<Decision> apply(Operation operation) {
      operations.add(operation);
      if (throwsIt) {
        throw new IllegalStateException("connection closed");
      }
      return fails
          ? CompletableFuture.failedStage(failure)
          : CompletableFuture.supplyAsync(() -> counters.applyNow(operation));
    }

    @Override
    public void close() {
      counters.close();
    }
  }

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final RemoteStore store = new RemoteStore(time);
  private final Penalty penalty = new Penalty(Duration.ofMinutes(1), 5, List.of(1));
  private final RateLimiter limiter =
      RateLimiter.builder()
          .store(store)
          .time(time)
          .name("api")
          .limit("2/s")
          .limit("9/h")
          .penalty(penalty)
          .build();

  @Test
  void decidesByTheStore() {
    assertThat(limiter.tryAcquire("alice")).isTrue();
    assertThat(limiter.tryAcquire("alice", 1)).isTrue();
    assertThat(limiter.tryAcquire("alice")).isFalse();
    assertThat(limiter.acquire("alice").retryAfter()).isEqualTo(Duration.ofMillis(500));
    assertThat(limiter.peek("alice").allowed()).isFalse();
    assertThat(limiter.refund("alice", 1).remaining()).isEqualTo(1);
    assertThat(limiter.reset("alice").remaining()).isEqualTo(2);
    assertThat(limiter.tryAcquire()).isTrue();
    assertThat(limiter.tryAcquire(2)).isFalse();
    assertThat(limiter.acquire().allowed()).isTrue();
  }

  @Test
  void asksTheStoreForAllLimitsAtOnce() {
    limiter.acquire("alice", 2);

    assertThat(store.operations)
        .containsExactly(
            new Operation.Acquire(
                List.of(
                    new Counter("api", "alice", Limit.perSecond(2)),
                    new Counter("api#2", "alice", Limit.perHour(9))),
                List.of(new PenaltyCounter("api", "alice", penalty)),
                2));
  }

  @Test
  void waitsByTheClockItWasGiven() {
    limiter.acquire("alice", 2);
    CompletableFuture<Decision> due = limiter.acquireAsync("alice", 1, Duration.ofSeconds(5));
    while (store.operations.size() < 2) {
      Thread.onSpinWait();
    }
    // The peek is answered on another thread, which then sets the alarm.
    while (!due.isDone()) {
      time.advance(Duration.ofMillis(100));
    }

    assertThat(due.join().allowed()).isTrue();
  }

  @Test
  void failuresArePassedOn() {
    store.fails = true;
    store.failure = new IllegalStateException("store api: unreachable");

    assertThatThrownBy(() -> limiter.acquire("alice")).isSameAs(store.failure);
    assertThatThrownBy(() -> limiter.tryAcquire("alice")).isSameAs(store.failure);
    assertThatThrownBy(() -> limiter.peek("alice")).isSameAs(store.failure);
    assertThatThrownBy(() -> limiter.acquire("alice", 1, Duration.ofSeconds(1)))
        .isSameAs(store.failure);
    assertThat(limiter.acquireAsync("alice", 1, Duration.ofSeconds(1))).isCompletedExceptionally();
  }

  @Test
  void checkedFailuresAreWrapped() {
    store.fails = true;
    store.failure = new IOException("connection reset");

    assertThatThrownBy(() -> limiter.acquire("alice"))
        .isInstanceOf(CompletionException.class)
        .hasCause(store.failure);
    assertThatThrownBy(() -> limiter.acquire("alice", 1, Duration.ofSeconds(1)))
        .isInstanceOf(CompletionException.class)
        .hasCause(store.failure);
  }

  @Test
  void errorsAreThrownAsTheyAre() {
    store.fails = true;
    store.failure = new OutOfMemoryError("on purpose");

    assertThatThrownBy(() -> limiter.acquire("alice")).isSameAs(store.failure);
  }

  @Test
  void aFailureLeavesTheLine() {
    store.fails = true;
    var unused = limiter.acquireAsync("alice", 1, Duration.ofSeconds(1));
    store.fails = false;

    assertThat(limiter.acquire("alice").allowed()).isTrue();
  }

  @Test
  void aStoreThatThrowsLeavesNobodyInTheLine() {
    store.throwsIt = true;
    CompletableFuture<Decision> due = limiter.acquireAsync("alice", 1, Duration.ofMinutes(1));
    assertThatThrownBy(due::join).hasRootCauseMessage("connection closed");
    store.throwsIt = false;

    assertThat(limiter.tryAcquire("alice")).isTrue();
  }

  @Test
  void aStoreWithoutAnAnswerLeavesNobodyInTheLine() {
    CounterStore silent = new SilentStore();
    RateLimiter unanswered = RateLimiter.builder().store(silent).time(time).limit("2/s").build();
    CompletableFuture<Decision> first = unanswered.acquireAsync("alice", 1, Duration.ofMinutes(1));
    CompletableFuture<Decision> second = unanswered.acquireAsync("alice", 1, Duration.ofMinutes(1));

    assertThatThrownBy(first::join).hasRootCauseMessage("no decision was made");
    assertThatThrownBy(second::join).hasRootCauseMessage("no decision was made");
  }

  /** Completes, but decides nothing. */
  private static final class SilentStore implements CounterStore {
    @Override
    @SuppressWarnings("NullAway") // What a store without null checks may answer.
    public CompletionStage<Decision> apply(Operation operation) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }

  @Test
  void hasNoStatistics() {
    assertThatThrownBy(limiter::statistics)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "statistics are kept by stores in memory only, and this limiter's is RemoteStore");
  }
}
