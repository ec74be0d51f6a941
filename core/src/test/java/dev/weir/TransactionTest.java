package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionTest {
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  /** A clock whose readings are laid down one by one. */
  private static final class ScriptedTime implements TimeSource {
    final Deque<Long> readings = new ArrayDeque<>();

    void next(Instant... instants) {
      assertThat(readings).as("readings left over").isEmpty();
      for (Instant instant : instants) {
        readings.add(Micros.of(instant));
      }
    }

    @Override
    public long nowMicros() {
      return readings.remove();
    }
  }

  private final ScriptedTime scripted = new ScriptedTime();

  private static RateLimiter limiter(TimeSource time, String limit) {
    return RateLimiter.builder().time(time).limit(limit).build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"10/s", "10/s sliding_log", "10/s fixed_window"})
  void theClockIsReadOnce(String limit) {
    RateLimiter limiter = limiter(scripted, limit);
    // A new cell may come late: others may have used and dropped one since the first reading.
    scripted.next(START, START);
    limiter.acquire("k");
    scripted.next(START);
    limiter.acquire("k");
    scripted.next(START);
    assertThat(limiter.tryAcquire("k")).isTrue();
    scripted.next(START);
    assertThat(limiter.peek("k").remaining()).isEqualTo(7);
    scripted.next(START);
    limiter.refund("k", 1);

    assertThat(scripted.readings).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10/s", "1027/s", "10/s sliding_log", "10/s first", "10/s sliding_window"})
  void whoComesLateReadsTheClockAgain(String text) {
    Limit limit = Limit.parse(text.replace("first", "fixed_window align first_request"));
    RateLimiter limiter = limiter(scripted, limit.toString());
    Instant later = START.plusSeconds(10);
    scripted.next(later, later);
    limiter.acquire("k", limit.capacity());
    scripted.next(START, later);
    Decision late = limiter.acquire("k");

    assertThat(late.at()).isEqualTo(later);
    assertThat(late.allowed()).isFalse();
    scripted.next(later.plusSeconds(2));
    assertThat(limiter.acquire("k").allowed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"10/h", "1027/h", "10/h sliding_log", "10/h sliding_window"})
  void aRefusalAfterTheClockWentBackIsWritten(String limit) {
    ManualTime time = TimeSource.manual(START);
    RateLimiter limiter = limiter(time, limit);
    long capacity = limiter.limits().get(0).capacity();
    limiter.acquire("k", capacity);
    time.advance(Duration.ofHours(-5));
    assertThat(limiter.acquire("k").allowed()).isFalse();
    time.advance(Duration.ofHours(2));

    // Two hours later an hour's permits are back, although the first charge lies ahead.
    assertThat(limiter.peek("k").remaining()).isEqualTo(capacity);
  }

  @Test
  void aPeekAfterTheClockWentBackIsNotWritten() {
    ManualTime time = TimeSource.manual(START);
    RateLimiter limiter = limiter(time, "10/h");
    limiter.acquire("k", 10);
    time.advance(Duration.ofHours(-5));
    assertThat(limiter.peek("k").allowed()).isFalse();
    assertThat(limiter.acquire("k", 0).allowed()).isTrue();
    time.advance(Duration.ofHours(2));

    assertThat(limiter.peek("k").remaining()).isZero();
  }

  @Test
  void threadsThatTakeTheSameCountersInAnyOrderDoNotWaitInACircle() {
    MemoryCounterStore store = new MemoryCounterStore(TimeSource.manual(START), 100);
    Limit limit = Limit.parse("1000000/h sliding_window");
    List<Counter> counters =
        List.of(
            new Counter("a", "x", limit),
            new Counter("a", "y", limit),
            new Counter("b", "x", limit),
            new Counter("b", "", limit));
    List<Counter> reversed = new ArrayList<>(counters);
    Collections.reverse(reversed);
    int calls = 20_000;
    CompletableFuture<Void> other =
        CompletableFuture.runAsync(() -> acquire(store, reversed, calls));
    acquire(store, counters, calls);
    other.join();

    assertThat(store.applyNow(new Operation.Peek(counters, 1)).limits())
        .allMatch(status -> status.remaining() == 1_000_000 - 2 * calls);
  }

  private static void acquire(MemoryCounterStore store, List<Counter> counters, int calls) {
    for (int i = 0; i < calls; i++) {
      store.applyNow(new Operation.Acquire(counters, 1));
    }
  }

  @Test
  void chargesThatMeetGrowingCellsAreNotLost() {
    MemoryCounterStore store = new MemoryCounterStore(TimeSource.manual(START), 100_000);
    Limit limit = Limit.parse("1000000/h sliding_window");
    List<Counter> busy = List.of(new Counter("a", "busy", limit), new Counter("b", "busy", limit));
    CompletableFuture<Void> growth =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < 30_000; i++) {
                acquire(store, List.of(new Counter("a", "key-" + i, limit)), 1);
              }
            });
    int calls = 0;
    while (!growth.isDone() || calls < 1_000) {
      acquire(store, busy, 1);
      calls++;
    }
    growth.join();

    int used = Math.min(calls, 1_000_000);
    assertThat(store.applyNow(new Operation.Peek(busy, 1)).limits())
        .allMatch(status -> status.remaining() == 1_000_000 - used);
  }
}
