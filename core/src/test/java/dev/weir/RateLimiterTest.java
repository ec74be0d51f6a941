package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateLimiterTest {
  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));

  private RateLimiter limiter(String... limits) {
    RateLimiter.Builder builder = RateLimiter.builder().time(time);
    for (String limit : limits) {
      builder.limit(limit);
    }
    return builder.build();
  }

  @Test
  void allowsUpToTheLimitForEachKey() {
    RateLimiter limiter = limiter("2/s");

    assertThat(limiter.tryAcquire("alice")).isTrue();
    assertThat(limiter.tryAcquire("alice")).isTrue();
    assertThat(limiter.tryAcquire("alice")).isFalse();
    assertThat(limiter.tryAcquire("bob", 2)).isTrue();
    assertThat(limiter.tryAcquire("bob", 1)).isFalse();
    time.advance(Duration.ofMillis(500));
    assertThat(limiter.tryAcquire("alice")).isTrue();
    assertThat(limiter.tryAcquire("alice")).isFalse();
  }

  @Test
  void decisionsSayHowItStands() {
    RateLimiter limiter = limiter("10/s burst 20");
    Decision passed = limiter.acquire("alice", 15);
    Decision refused = limiter.acquire("alice", 7);

    assertThat(passed.allowed()).isTrue();
    assertThat(passed.remaining()).isEqualTo(5);
    assertThat(passed.resetAt()).isEqualTo("2026-03-01T10:00:01.500Z");
    assertThat(passed.at()).isEqualTo("2026-03-01T10:00:00Z");
    assertThat(refused.reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofMillis(200));
    assertThat(refused.remaining()).isEqualTo(5);
    assertThat(limiter.acquire("alice").remaining()).isEqualTo(4);
    time.advance(Duration.ofMillis(300));
    assertThat(limiter.acquire("alice", 7).remaining()).isZero();
  }

  @Test
  @DisplayName("T41: a cost above the capacity is refused for good")
  void aCostAboveTheCapacityIsRefusedForGood() {
    RateLimiter limiter = limiter("5/s", "8/s");
    Decision refused = limiter.acquire("alice", 6);

    assertThat(refused.reason()).isEqualTo(Reason.COST_EXCEEDS_LIMIT);
    assertThat(refused.retryable()).isFalse();
    assertThat(refused.retryAfter()).isZero();
    assertThat(refused.decisive()).isZero();
    assertThat(limiter.acquire("alice", 9).decisive()).isZero();
    assertThat(limiter("8/s", "5/s").acquire("alice", 6).decisive()).isEqualTo(1);
    assertThat(limiter.tryAcquire("alice", 6)).isFalse();
    assertThat(limiter.tryAcquire(6)).isFalse();
    assertThat(limiter("5/s").tryAcquire("alice", Long.MAX_VALUE)).isFalse();
    assertThat(limiter.peek("alice").remaining()).isEqualTo(5);
  }

  @Test
  @DisplayName("T46: several limits are charged together or not at all")
  void severalLimitsAreChargedTogetherOrNotAtAll() {
    RateLimiter limiter = limiter("10/s", "5/m");
    int passed = 0;
    for (int i = 0; i < 20; i++) {
      passed += limiter.tryAcquire("alice") ? 1 : 0;
    }
    Decision refused = limiter.acquire("alice");

    assertThat(passed).isEqualTo(5);
    assertThat(refused.limits())
        .extracting(LimitStatus::name, LimitStatus::remaining)
        .containsExactly(tuple("limiter", 5L), tuple("limiter#2", 0L));
    assertThat(refused.decisive()).isEqualTo(1);
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofSeconds(12));
  }

  @Test
  void theDecisiveLimitIsTheOneWithTheLongestWait() {
    RateLimiter limiter = limiter("1/s", "1/m", "1/m fixed_window", "1/s burst 9");
    limiter.acquire("alice");
    Decision refused = limiter.acquire("alice");

    assertThat(refused.decisive()).isEqualTo(1);
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void theDecisiveLimitOfAPassIsTheOneClosestToExhaustion() {
    assertThat(limiter("9/s", "5/s", "7/s").acquire("alice").decisive()).isEqualTo(1);
    assertThat(limiter("5/s", "5/m", "5/h", "5/h").acquire("alice").decisive()).isEqualTo(2);
    assertThat(limiter("5/h", "5/s").acquire("alice").decisive()).isZero();
  }

  @Test
  void withoutAKeyIsWithAnEmptyOne() {
    RateLimiter limiter = limiter("8/s");

    assertThat(limiter.tryAcquire()).isTrue();
    assertThat(limiter.tryAcquire(2)).isTrue();
    assertThat(limiter.acquire().remaining()).isEqualTo(4);
    assertThat(limiter.acquire(2).remaining()).isEqualTo(2);
    assertThat(limiter.peek().remaining()).isEqualTo(2);
    assertThat(limiter.peek("").remaining()).isEqualTo(2);
    assertThat(limiter.tryAcquire("")).isTrue();
    assertThat(limiter.refund(3).remaining()).isEqualTo(4);
    assertThat(limiter.tryAcquire(5)).isFalse();
    assertThat(limiter.reset().remaining()).isEqualTo(8);
    assertThat(limiter.tryAcquire(8)).isTrue();
    assertThat(limiter.tryAcquire()).isFalse();
    assertThat(limiter.statistics().liveKeys()).isZero();
  }

  @Test
  void peekChangesNothing() {
    RateLimiter limiter = limiter("2/s");
    limiter.peek("alice");

    assertThat(limiter.peek("alice", 2).allowed()).isTrue();
    assertThat(limiter.peek("alice", 3).reason()).isEqualTo(Reason.COST_EXCEEDS_LIMIT);
    assertThat(limiter.statistics().liveKeys()).isZero();
    assertThat(limiter.acquire("alice", 0).remaining()).isEqualTo(2);
    assertThat(limiter.tryAcquire("alice", 0)).isTrue();
    assertThat(limiter.statistics().liveKeys()).isZero();
    assertThat(limiter.peek(2).allowed()).isTrue();
    assertThat(limiter.tryAcquire("alice", 2)).isTrue();
    assertThat(limiter.tryAcquire("alice", 0)).isTrue();
    assertThat(limiter.peek("alice").allowed()).isFalse();
  }

  @Test
  @DisplayName("T43: a refund never exceeds the capacity and creates nothing")
  void aRefundNeverExceedsTheCapacity() {
    RateLimiter limiter = limiter("5/s", "9/s sliding_log");

    assertThat(limiter.refund("alice", 3).remaining()).isEqualTo(5);
    assertThat(limiter.statistics().liveKeys()).isZero();
    limiter.acquire("alice", 4);
    assertThat(limiter.refund("alice", 1).remaining()).isEqualTo(2);
    assertThat(limiter.refund("alice", 100).remaining()).isEqualTo(5);
    assertThat(limiter.refund("alice", 1).allowed()).isTrue();
  }

  @Test
  void resetForgetsTheUseAndThePenalty() {
    RateLimiter limiter =
        RateLimiter.builder()
            .time(time)
            .limit("1/s")
            .penalty(new Penalty(Duration.ofMinutes(1), 1, List.of(10)))
            .build();
    limiter.acquire("alice");
    limiter.acquire("alice");
    assertThat(limiter.acquire("alice").reason()).isEqualTo(Reason.PENALTY);

    assertThat(limiter.reset("alice").allowed()).isTrue();
    assertThat(limiter.acquire("alice").allowed()).isTrue();
  }

  @Test
  void penaltiesGrow() {
    RateLimiter limiter =
        RateLimiter.builder()
            .time(time)
            .limit("1/s")
            .limit("9/h fixed_window")
            .penalty(new Penalty(Duration.ofMinutes(1), 2, List.of(10, 20)))
            .build();
    assertThat(limiter.tryAcquire("alice")).isTrue();
    assertThat(limiter.acquire("alice").retryAfter()).isEqualTo(Duration.ofSeconds(1));
    assertThat(limiter.acquire("alice").retryAfter()).isEqualTo(Duration.ofSeconds(10));
    assertThat(limiter.peek("alice").reason()).isEqualTo(Reason.PENALTY);
    assertThat(limiter.tryAcquire("alice")).isFalse();
    assertThat(limiter.tryAcquire("bob")).isTrue();
    time.advance(Duration.ofSeconds(4));
    assertThat(limiter.acquire("alice").retryAfter()).isEqualTo(Duration.ofSeconds(6));
    time.advance(Duration.ofSeconds(6));
    assertThat(limiter.tryAcquire("alice")).isTrue();
    assertThat(limiter.acquire("alice", 2).retryAfter()).isZero();
    assertThat(limiter.acquire("alice").retryAfter()).isEqualTo(Duration.ofSeconds(20));
  }

  @Test
  @DisplayName("T42: what was used stays used when the limits change")
  void whatWasUsedStaysUsedWhenTheLimitsChange() {
    RateLimiter limiter = limiter("100/h");
    limiter.acquire("alice", 50);
    limiter.changeLimits(Limit.perHour(10));
    assertThat(limiter.acquire("alice").allowed()).isFalse();
    assertThat(limiter.acquire("alice").remaining()).isZero();
    assertThat(limiter.tryAcquire("alice")).isFalse();
    limiter.changeLimits(Limit.perHour(60), Limit.perHour(70));

    assertThat(limiter.limits()).containsExactly(Limit.perHour(60), Limit.perHour(70));
    assertThat(limiter.peek("alice").limits())
        .extracting(LimitStatus::remaining)
        .containsExactly(10L, 70L);
    assertThat(limiter.tryAcquire("alice", 10)).isTrue();
    assertThat(limiter.tryAcquire("alice")).isFalse();
  }

  @Test
  void needsALimit() {
    String message = "limits must have at least one element, for example 100/s, got []";
    RateLimiter limiter = limiter("1/s");

    assertThatThrownBy(() -> RateLimiter.builder().build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> RateLimiter.of(new String[0])).hasMessage(message);
    assertThatThrownBy(limiter::changeLimits).hasMessage(message);
    assertThat(limiter.limits()).hasSize(1);
  }

  @Test
  void isMadeOfTextsOrLimits() {
    assertThat(RateLimiter.of("1/h", "9/d").limits()).hasSize(2);
    assertThat(RateLimiter.of(Limit.perHour(1)).limits()).containsExactly(Limit.perHour(1));
    RateLimiter limiter = RateLimiter.of("1/h");
    assertThat(limiter.tryAcquire("alice")).isTrue();
    assertThat(limiter.tryAcquire("alice")).isFalse();
    assertThat(limiter.statistics()).isEqualTo(new MemoryStatistics(1, 0, 0));
  }

  @Test
  void limitersOfOneNameOnOneStoreShareCounters() {
    MemoryCounterStore store = new MemoryCounterStore(time, 100);
    RateLimiter one = RateLimiter.builder().store(store).name("api").limit("2/h").build();
    RateLimiter same = RateLimiter.builder().store(store).name("api").limit("2/h").build();
    RateLimiter other = RateLimiter.builder().store(store).name("login").limit("2/h").build();

    assertThat(one.tryAcquire("alice", 2)).isTrue();
    assertThat(same.tryAcquire("alice")).isFalse();
    assertThat(other.acquire("alice", 2).status().name()).isEqualTo("login");
    assertThat(one.statistics()).isEqualTo(other.statistics());
  }

  @Test
  void negativeCostsAreErrors() {
    RateLimiter limiter = limiter("1/s");
    String message = "cost must be at least 0, got -1";

    assertThatThrownBy(() -> limiter.tryAcquire("alice", -1)).hasMessage(message);
    assertThatThrownBy(() -> limiter.tryAcquire(-1)).hasMessage(message);
    assertThatThrownBy(() -> limiter.acquire("alice", -1)).hasMessage(message);
    assertThatThrownBy(() -> limiter.peek("alice", -1)).hasMessage(message);
    assertThatThrownBy(() -> limiter.acquireAsync("alice", -1, Duration.ZERO)).hasMessage(message);
    assertThatThrownBy(() -> limiter.refund("alice", 0))
        .hasMessage("cost must be at least 1, got 0");
    assertThat(limiter.tryAcquire("alice")).isTrue();
  }

  @Test
  @SuppressWarnings("NullAway") // What a caller without null checks may pass.
  void optionsAreNeverNull() {
    RateLimiter.Builder builder = RateLimiter.builder();

    assertThatNullPointerException()
        .isThrownBy(() -> builder.limit((Limit) null))
        .withMessage("limit");
    assertThatNullPointerException().isThrownBy(() -> builder.name(null)).withMessage("name");
    assertThatNullPointerException().isThrownBy(() -> builder.store(null)).withMessage("store");
    assertThatNullPointerException().isThrownBy(() -> builder.time(null)).withMessage("time");
    assertThatNullPointerException().isThrownBy(() -> builder.penalty(null)).withMessage("penalty");
    assertThatNullPointerException()
        .isThrownBy(() -> builder.listener(null))
        .withMessage("listener");
    assertThatThrownBy(() -> builder.limit("1/s").maxKeys(0).build())
        .hasMessage("maxKeys must be between 1 and 100000000, got 0");
  }

  @ParameterizedTest
  @ValueSource(strings = {"2/h", "2/h fixed_window", "2/h sliding_window", "2/h sliding_log"})
  void everyAlgorithmCountsWithoutAKey(String limit) {
    RateLimiter limiter = limiter(limit);

    assertThat(limiter.tryAcquire()).isTrue();
    assertThat(limiter.tryAcquire(2)).isFalse();
    assertThat(limiter.tryAcquire(1)).isTrue();
    assertThat(limiter.tryAcquire()).isFalse();
    assertThat(limiter.tryAcquire(0)).isTrue();
  }

  @Test
  void aSingleLimitIsPenalisedToo() {
    RateLimiter limiter =
        RateLimiter.builder()
            .time(time)
            .limit("1/s")
            .penalty(new Penalty(Duration.ofMinutes(1), 1, List.of(10)))
            .build();
    assertThat(limiter.tryAcquire("alice")).isTrue();
    assertThat(limiter.tryAcquire("alice")).isFalse();
    time.advance(Duration.ofSeconds(9));
    assertThat(limiter.tryAcquire("alice")).isFalse();
    time.advance(Duration.ofSeconds(1));
    assertThat(limiter.tryAcquire("alice")).isTrue();
    assertThat(limiter.tryAcquire()).isTrue();
    assertThat(limiter.tryAcquire()).isFalse();
    time.advance(Duration.ofSeconds(9));
    assertThat(limiter.tryAcquire()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10/s", "10/h", "10/h sliding_log", "10/h fixed_window", "10/h sliding_window"})
  @DisplayName("T42: without a key, what was used stays used when the limit becomes a bucket")
  void withoutAKeyWhatWasUsedStaysUsedWhenTheLimitBecomesABucket(String before) {
    RateLimiter limiter = limiter(before);
    for (int i = 0; i < 5; i++) {
      limiter.tryAcquire();
    }
    limiter.changeLimits(Limit.parse("1/m burst 10"));
    int passed = 0;
    while (limiter.tryAcquire()) {
      passed++;
    }

    assertThat(passed).isEqualTo(5);
    assertThat(limiter.peek().remaining()).isZero();
  }

  @Test
  void theBoundOnKeysIsForAStoreOfItsOwn() {
    MemoryCounterStore store = new MemoryCounterStore(time, 10);

    assertThatThrownBy(() -> RateLimiter.builder().limit("1/s").store(store).maxKeys(5).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "maxKeys is for a store of the limiter's own, got it with a store; set it there");
  }
}
