package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Who waits hears of permits that come earlier than they were due. */
class RateLimiterWakingTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final RateLimiter limiter =
      RateLimiter.builder()
          .time(time)
          .limit("5/h")
          .penalty(new Penalty(Duration.ofHours(1), 1, List.of(2)))
          .build();

  private CompletableFuture<Decision> waitingFor(long cost) {
    return limiter.acquireAsync("k", cost, DAY);
  }

  @Test
  void whenPermitsAreGivenBack() {
    limiter.acquire("k", 5);
    CompletableFuture<Decision> first = waitingFor(2);
    CompletableFuture<Decision> second = waitingFor(2);
    limiter.refund("k", 1);
    assertThat(first).isNotDone();
    limiter.refund("other", 1);
    assertThat(first).isNotDone();
    limiter.refund("k", 1);

    assertThat(first).isDone();
    assertThat(second).isNotDone();
    limiter.refund("k", 2);
    assertThat(second).isDone();
  }

  @Test
  void whenTheKeyIsReset() {
    limiter.acquire("k", 5);
    assertThat(limiter.acquire("k").allowed()).isFalse();
    assertThat(limiter.acquire("k").reason()).isEqualTo(Reason.PENALTY);
    CompletableFuture<Decision> first = waitingFor(2);
    CompletableFuture<Decision> second = waitingFor(3);
    CompletableFuture<Decision> third = waitingFor(1);
    limiter.reset("k");

    assertThat(first).isDone();
    assertThat(second).isDone();
    assertThat(third).isNotDone();
  }

  @Test
  void whenTheLimitsChange() {
    limiter.acquire("k", 5);
    limiter.acquire("other", 5);
    CompletableFuture<Decision> due = waitingFor(2);
    CompletableFuture<Decision> other = limiter.acquireAsync("other", 4, DAY);
    limiter.changeLimits(Limit.parse("10/h"));

    assertThat(due.join().remaining()).isEqualTo(3);
    assertThat(other.join().remaining()).isEqualTo(1);
  }

  @Test
  void whenTheLimitsBecomeTooSmallForThem() {
    limiter.acquire("k", 5);
    CompletableFuture<Decision> due = waitingFor(4);
    limiter.changeLimits(Limit.parse("3/h"));

    assertThat(due.join().reason()).isEqualTo(Reason.COST_EXCEEDS_LIMIT);
  }
}
