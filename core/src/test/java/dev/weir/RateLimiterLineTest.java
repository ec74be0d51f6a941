package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who waits behind whom. */
class RateLimiterLineTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final List<String> told = new ArrayList<>();
  private final RateLimiter limiter =
      RateLimiter.builder()
          .time(time)
          .limit("10/s")
          .listener((key, cost, decision) -> told.add(cost + " " + decision.reason()))
          .build();

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
  void servesInTheOrderOfArrival() {
    limiter.acquire("k", 10);
    CompletableFuture<Decision> large = async(8, MINUTE);
    CompletableFuture<Decision> small = async(1, MINUTE);
    CompletableFuture<Decision> last = async(2, MINUTE);
    advanceMicros(799_999);
    assertThat(large).isNotDone();
    assertThat(small).isNotDone();
    advanceMicros(1);
    assertThat(isAllowed(large)).isTrue();
    assertThat(small).isNotDone();
    advanceMicros(100_000);
    assertThat(isAllowed(small)).isTrue();
    advanceMicros(199_999);
    assertThat(last).isNotDone();
    advanceMicros(1);
    assertThat(isAllowed(last)).isTrue();
    assertThat(told)
        .containsExactly(
            "10 within_limits", "8 within_limits", "1 within_limits", "2 within_limits");
  }

  @Test
  void thoseThatDoNotWaitDoNotOvertake() {
    limiter.acquire("k", 10);
    CompletableFuture<Decision> large = async(8, MINUTE);
    for (int i = 0; i < 7; i++) {
      advanceMicros(100_000);
      assertThat(limiter.tryAcquire("k")).isFalse();
      Decision refused = limiter.acquire("k");
      assertThat(refused.reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
      // When the eight that wait and this one could all be free.
      assertThat(refused.retryAfter()).isEqualTo(Duration.ofMillis(800 - 100L * i));
      assertThat(refused.remaining()).isEqualTo(i + 1);
    }
    advanceMicros(100_000);

    assertThat(isAllowed(large)).isTrue();
    assertThat(limiter.tryAcquire("k")).isFalse();
    advanceMicros(100_000);
    assertThat(limiter.tryAcquire("k")).isTrue();
  }

  @Test
  void unkeyedCallersDoNotOvertakeEither() {
    RateLimiter quiet = RateLimiter.builder().time(time).limit("10/s").build();
    quiet.acquire(10);
    quiet.acquire("keyed", 10);
    CompletableFuture<Decision> large = quiet.acquireAsync(8, MINUTE);
    CompletableFuture<Decision> keyed = quiet.acquireAsync("keyed", 8, MINUTE);
    advanceMicros(300_000);
    assertThat(quiet.tryAcquire()).isFalse();
    assertThat(quiet.tryAcquire("keyed")).isFalse();
    assertThat(keyed).isNotDone();
    assertThat(quiet.tryAcquire("other", 10)).isTrue();
    advanceMicros(500_000);

    assertThat(isAllowed(large)).isTrue();
    advanceMicros(100_000);
    assertThat(quiet.tryAcquire()).isTrue();
  }

  @Test
  void linesOfOtherKeysDoNotMatter() {
    limiter.acquire("k", 10);
    CompletableFuture<Decision> first = async(8, MINUTE);

    assertThat(limiter.tryAcquire("other")).isTrue();
    assertThat(limiter.acquireAsync("other", 9, MINUTE).join().allowed()).isTrue();
    assertThat(first).isNotDone();
  }

  @Test
  void cancellingGivesUpThePlaceAndLosesNoPermits() {
    limiter.acquire("k", 10);
    CompletableFuture<Decision> large = async(8, MINUTE);
    CompletableFuture<Decision> small = async(1, MINUTE);
    CompletableFuture<Decision> third = async(1, MINUTE);
    advanceMicros(50_000);
    large.cancel(false);
    assertThat(small).isNotDone();
    third.cancel(false);
    advanceMicros(50_000);
    assertThat(isAllowed(small)).isTrue();
    advanceMicros(1_000_000);

    assertThat(limiter.peek("k").remaining()).isEqualTo(10);
    assertThat(told).containsExactly("10 within_limits", "1 within_limits");
    assertThat(limiter.tryAcquire("k", 10)).isTrue();
  }

  @Test
  void cancellingTheFirstLetsTheNextPassAtOnce() {
    limiter.acquire("k", 10);
    CompletableFuture<Decision> large = async(8, MINUTE);
    CompletableFuture<Decision> small = async(2, MINUTE);
    advanceMicros(200_000);
    assertThat(small).isNotDone();
    large.cancel(false);

    assertThat(isAllowed(small)).isTrue();
  }

  @Test
  void theLineIsKeptWhenOneOfItLeaves() {
    limiter.acquire("k", 10);
    CompletableFuture<Decision> large = async(8, MINUTE);
    CompletableFuture<Decision> second = async(3, MINUTE);
    CompletableFuture<Decision> third = async(2, MINUTE);
    large.cancel(false);
    assertThat(limiter.acquire("k").retryAfter()).isEqualTo(Duration.ofMillis(600));
    third.cancel(false);
    advanceMicros(200_000);
    assertThat(limiter.tryAcquire("k")).isFalse();
    assertThat(limiter.acquire("k").retryAfter()).isEqualTo(Duration.ofMillis(200));
    advanceMicros(100_000);

    assertThat(isAllowed(second)).isTrue();
    advanceMicros(100_000);
    assertThat(limiter.acquire("k").allowed()).isTrue();
  }

  @Test
  void behindOthersItIsRefusedAtOnceIfEvenAloneItWouldBeTooLate() {
    limiter.acquire("k", 10);
    CompletableFuture<Decision> first = async(1, MINUTE);
    CompletableFuture<Decision> late = async(5, Duration.ofMillis(499));

    assertThat(isRefused(late)).isTrue();
    assertThat(late.join().retryAfter()).isEqualTo(Duration.ofMillis(500));
    assertThat(first).isNotDone();
  }

  @Test
  void behindOthersItIsRefusedWhenItsTimeIsUp() {
    limiter.acquire("k", 10);
    CompletableFuture<Decision> large = async(9, MINUTE);
    CompletableFuture<Decision> small = async(1, Duration.ofMillis(500));
    advanceMicros(499_999);
    assertThat(small).isNotDone();
    advanceMicros(1);

    assertThat(isRefused(small)).isTrue();
    assertThat(small.join().reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
    assertThat(small.join().retryAfter()).isPositive();
    assertThat(small.join().remaining()).isEqualTo(5);
    advanceMicros(400_000);
    assertThat(isAllowed(large)).isTrue();
    assertThat(told).containsExactly("10 within_limits", "1 limit_exceeded", "9 within_limits");
  }

  @Test
  void whoComesFirstInTimeIsNotRefusedByItsAlarm() {
    limiter.acquire("k", 10);
    CompletableFuture<Decision> first = async(1, MINUTE);
    CompletableFuture<Decision> second = async(4, Duration.ofMillis(500));
    advanceMicros(100_000);
    assertThat(isAllowed(first)).isTrue();
    advanceMicros(399_999);
    assertThat(second).isNotDone();
    advanceMicros(1);

    assertThat(isAllowed(second)).isTrue();
  }

  @Test
  void whoBecomesFirstTooLateIsRefused() {
    limiter.acquire("k", 10);
    CompletableFuture<Decision> first = async(1, MINUTE);
    CompletableFuture<Decision> second = async(5, Duration.ofMillis(500));
    advanceMicros(100_000);

    assertThat(isAllowed(first)).isTrue();
    assertThat(isRefused(second)).isTrue();
    assertThat(second.join().retryAfter()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  void othersOnTheSameStoreMayComeFirst() {
    MemoryCounterStore store = new MemoryCounterStore(time, 10);
    RateLimiter waiting = RateLimiter.builder().store(store).time(time).limit("10/s").build();
    RateLimiter other = RateLimiter.builder().store(store).time(time).limit("10/s").build();
    other.acquire("k", 10);
    CompletableFuture<Decision> due = waiting.acquireAsync("k", 5, MINUTE);
    advanceMicros(400_000);
    other.acquire("k", 4);
    advanceMicros(100_000);
    assertThat(due).isNotDone();
    advanceMicros(400_000);

    assertThat(isAllowed(due)).isTrue();
  }

  @Test
  void manyThatAreDueTogetherAreAllServed() {
    int waiters = 20_000;
    RateLimiter wide = RateLimiter.builder().time(time).limit("20000/s fixed_window").build();
    wide.acquire("k", waiters);
    List<CompletableFuture<Decision>> due = new ArrayList<>();
    for (int i = 0; i < waiters; i++) {
      due.add(wide.acquireAsync("k", 1, MINUTE));
    }
    advanceMicros(1_000_000);

    assertThat(due).allMatch(RateLimiterLineTest::isAllowed);
  }
}
