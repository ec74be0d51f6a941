package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RateLimiterWaitingTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final List<String> told = new ArrayList<>();
  private final RateLimiter limiter = limiter("10/s").build();

  private RateLimiter.Builder limiter(String limit) {
    return RateLimiter.builder()
        .time(time)
        .limit(limit)
        .listener((key, cost, decision) -> told.add(cost + " " + decision.reason()));
  }

  private CompletableFuture<Decision> async(long cost, Duration maxWait) {
    return limiter.acquireAsync("k", cost, maxWait);
  }

  private static boolean isAllowed(CompletableFuture<Decision> due) {
    return due.isDone() && due.join().allowed();
  }

  private static boolean isRefused(CompletableFuture<Decision> due) {
    return due.isDone() && !due.join().allowed();
  }

  private void advanceMicros(long micros) {
    time.advance(Duration.ofNanos(micros * 1_000));
  }

  @Test
  void passesAtOnceIfThereIsRoom() throws InterruptedException {
    assertThat(limiter.acquire("k", 4, Duration.ZERO).remaining()).isEqualTo(6);
    assertThat(limiter.acquire(4, MINUTE).remaining()).isEqualTo(6);
    assertThat(async(6, MINUTE).join().remaining()).isZero();
    assertThat(told).containsExactly("4 within_limits", "4 within_limits", "6 within_limits");
  }

  @Test
  void completesExactlyWhenItIsDue() {
    limiter.acquire("k", 10);
    CompletableFuture<Decision> due = async(3, MINUTE);
    advanceMicros(299_999);
    assertThat(due).isNotDone();
    advanceMicros(1);

    assertThat(isAllowed(due)).isTrue();
    assertThat(due.join().at()).isEqualTo("2026-03-01T10:00:00.300Z");
    assertThat(due.join().remaining()).isZero();
    assertThat(told).containsExactly("10 within_limits", "3 within_limits");
  }

  @Test
  void waitsWithoutAKeyToo() {
    limiter.acquire(10);
    CompletableFuture<Decision> due = limiter.acquireAsync(1, MINUTE);
    advanceMicros(100_000);

    assertThat(isAllowed(due)).isTrue();
  }

  @Test
  void blocksUntilThePermitIsDue() throws InterruptedException {
    limiter.acquire("k", 10);
    CompletableFuture<Decision> decision = new CompletableFuture<>();
    Thread waiting = new Thread(() -> decision.complete(acquire(limiter, 1)));
    waiting.start();
    awaitWaiting(waiting);
    advanceMicros(99_999);
    assertThat(decision).isNotDone();
    advanceMicros(1);
    waiting.join();

    assertThat(isAllowed(decision)).isTrue();
  }

  private static Decision acquire(RateLimiter limiter, long cost) {
    try {
      return limiter.acquire("k", cost, MINUTE);
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // Only shortens the wait.
  private static void awaitWaiting(Thread thread) {
    while (thread.getState() != Thread.State.WAITING) {
      Thread.yield();
    }
  }

  @Test
  void isRefusedAtOnceIfItWouldBeTooLate() throws InterruptedException {
    limiter.acquire("k", 10);

    Decision refused = limiter.acquire("k", 3, Duration.ofNanos(299_999_000));
    assertThat(refused.reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofMillis(300));
    assertThat(async(3, Duration.ofMillis(300))).isNotDone();
  }

  @Test
  void aCostThatNeverPassesIsRefusedAtOnce() throws InterruptedException {
    assertThat(limiter.acquire("k", 11, MINUTE).reason()).isEqualTo(Reason.COST_EXCEEDS_LIMIT);
    limiter.acquire("k", 10);
    CompletableFuture<Decision> first = async(1, MINUTE);
    assertThat(async(11, MINUTE).join().reason()).isEqualTo(Reason.COST_EXCEEDS_LIMIT);
    assertThat(first).isNotDone();
  }

  @Test
  void interruptionGivesUpThePlace() {
    limiter.acquire("k", 10);
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> limiter.acquire("k", 1, MINUTE))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
    advanceMicros(100_000);
    assertThat(limiter.peek("k").remaining()).isEqualTo(1);
    assertThat(limiter.tryAcquire("k")).isTrue();
  }

  @Test
  void aWaitingThreadCanBeInterrupted() throws InterruptedException {
    limiter.acquire("k", 10);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread waiting =
        new Thread(
            () -> {
              try {
                limiter.acquire("k", 1, MINUTE);
              } catch (InterruptedException interrupted) {
                thrown.set(interrupted);
              }
            });
    waiting.start();
    awaitWaiting(waiting);
    waiting.interrupt();
    waiting.join();

    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    advanceMicros(1_000_000);
    assertThat(limiter.peek("k").remaining()).isEqualTo(10);
  }

  @Test
  void aRefusalAfterWaitingIsOneViolation() {
    RateLimiter penalised = limiter("10/s").penalty(new Penalty(MINUTE, 2, List.of(7))).build();
    penalised.acquire("k", 10);
    CompletableFuture<Decision> first = penalised.acquireAsync("k", 5, Duration.ofMillis(400));
    assertThat(isRefused(first)).isTrue();
    assertThat(penalised.peek("k").reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
    CompletableFuture<Decision> second = penalised.acquireAsync("k", 5, Duration.ofMillis(400));

    assertThat(isRefused(second)).isTrue();
    assertThat(second.join().retryAfter()).isEqualTo(Duration.ofSeconds(7));
    assertThat(penalised.peek("k").reason()).isEqualTo(Reason.PENALTY);
  }

  @Test
  void waitingItselfIsNoViolation() {
    RateLimiter penalised = limiter("10/s").penalty(new Penalty(MINUTE, 1, List.of(7))).build();
    penalised.acquire("k", 10);
    CompletableFuture<Decision> due = penalised.acquireAsync("k", 5, MINUTE);
    CompletableFuture<Decision> behind = penalised.acquireAsync("k", 1, Duration.ofMillis(200));
    assertThat(penalised.tryAcquire("k")).isFalse();
    advanceMicros(500_000);

    assertThat(isRefused(behind)).isTrue();
    assertThat(isAllowed(due)).isTrue();
    assertThat(penalised.peek("k").reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
  }

  @Test
  void aPenaltyIsWaitedFor() {
    RateLimiter penalised = limiter("10/s").penalty(new Penalty(MINUTE, 1, List.of(7))).build();
    penalised.acquire("k", 11);
    CompletableFuture<Decision> due = penalised.acquireAsync("k", 1, MINUTE);
    advanceMicros(6_999_999);
    assertThat(due).isNotDone();
    advanceMicros(1);

    assertThat(isAllowed(due)).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway") // What a caller without null checks may pass.
  void refusesWaitsOutOfBounds() {
    assertThatThrownBy(() -> async(1, Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxWait must be between 0 and 366d, got PT-0.000000001S");
    assertThatThrownBy(() -> async(1, Duration.ofDays(366).plusNanos(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxWait must be between 0 and 366d, got PT8784H0.000000001S");
    assertThat(async(1, Duration.ofDays(366)).join().allowed()).isTrue();
    assertThatNullPointerException()
        .isThrownBy(() -> limiter.acquireAsync(null, 1, MINUTE))
        .withMessage("key");
  }

  @Test
  void waitsByTheClockOfAGivenStore() {
    MemoryCounterStore store = new MemoryCounterStore(time, 10);
    RateLimiter shared = RateLimiter.builder().store(store).limit("10/s").build();
    shared.acquire("k", 10);
    CompletableFuture<Decision> due = shared.acquireAsync("k", 1, MINUTE);
    advanceMicros(100_000);

    assertThat(isAllowed(due)).isTrue();
  }
}
