package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryCounterStoreTest {
  private static final Limit HOURLY = Limit.parse("3/h");
  private static final Penalty PENALTY = new Penalty(Duration.ofHours(1), 1, List.of(2));

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final MemoryCounterStore store = new MemoryCounterStore(time, 2);

  private Decision acquire(String key, long cost) {
    return acquire(key, cost, HOURLY);
  }

  private Decision acquire(String key, long cost, Limit limit) {
    return store.applyNow(new Operation.Acquire(List.of(new Counter("api", key, limit)), cost));
  }

  private Decision peek(String key, Limit limit) {
    return store.applyNow(new Operation.Peek(List.of(new Counter("api", key, limit)), 1));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 100_000_001, Long.MAX_VALUE})
  void refusesABoundOutOfBounds(long maxKeys) {
    assertThatThrownBy(() -> new MemoryCounterStore(time, maxKeys))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxKeys must be between 1 and 100000000, got " + maxKeys);
  }

  @Test
  void acceptsTheBounds() {
    assertThat(new MemoryCounterStore(time, 1).statistics().liveKeys()).isZero();
    assertThat(new MemoryCounterStore(time, 100_000_000).statistics().liveKeys()).isZero();
    assertThat(new MemoryCounterStore().time()).isSameAs(TimeSource.system());
  }

  @Test
  void appliesAtOnceWhenAskedForAStage() {
    Operation operation = new Operation.Acquire(List.of(new Counter("api", "a", HOURLY)), 2);

    assertThat(store.apply(operation).toCompletableFuture())
        .isCompletedWithValueMatching(decision -> decision.remaining() == 1);
  }

  @Test
  void newKeysShareTheOverflowOfAFullTable() {
    acquire("a", 1);
    acquire("b", 3);
    Decision first = acquire("c", 2);
    Decision second = acquire("d", 2);

    assertThat(first.remaining()).isEqualTo(1);
    assertThat(second.allowed()).isFalse();
    assertThat(second.retryAfter()).isEqualTo(Duration.ofMinutes(20));
    assertThat(acquire("e", 1).allowed()).isTrue();
    assertThat(peek("f", HOURLY).allowed()).isFalse();
    assertThat(acquire("a", 2).allowed()).isTrue();
    assertThat(store.statistics()).isEqualTo(new MemoryStatistics(2, 0, 4));
  }

  @Test
  void aRefundInTheOverflowIsForAllOfIt() {
    acquire("a", 1);
    acquire("b", 1);
    acquire("c", 3);
    store.applyNow(new Operation.Refund(List.of(new Counter("api", "c", HOURLY)), 2));

    assertThat(peek("d", HOURLY).remaining()).isEqualTo(2);
  }

  @Test
  void aResetForgetsNothingOfOthersInTheOverflow() {
    acquire("a", 1);
    acquire("b", 1);
    acquire("c", 3);
    Decision reset = store.applyNow(new Operation.Reset(List.of(new Counter("api", "d", HOURLY))));

    assertThat(reset.allowed()).isTrue();
    assertThat(reset.remaining()).isZero();
    assertThat(peek("c", HOURLY).remaining()).isZero();
  }

  @Test
  void aKeyThatLeavesTheOverflowStartsWithWhatIsUsedThere() {
    acquire("a", 1);
    acquire("b", 1);
    acquire("c", 2);
    store.applyNow(new Operation.Reset(List.of(new Counter("api", "a", HOURLY))));
    Decision own = acquire("d", 1);

    assertThat(own.allowed()).isTrue();
    assertThat(own.remaining()).isZero();
    assertThat(store.statistics()).isEqualTo(new MemoryStatistics(2, 1, 1));
    assertThat(acquire("d", 1).allowed()).isFalse();
    assertThat(peek("e", HOURLY).remaining()).isEqualTo(1);
  }

  @Test
  void twoKeysOfOneOperationShareTheOverflowFairly() {
    acquire("a", 1);
    acquire("b", 1);
    List<Counter> both = List.of(new Counter("api", "c", HOURLY), new Counter("api", "d", HOURLY));

    assertThat(store.applyNow(new Operation.Acquire(both, 2)).allowed()).isFalse();
    assertThat(store.applyNow(new Operation.Acquire(both, 1)).remaining()).isEqualTo(1);
    assertThat(store.applyNow(new Operation.Acquire(both, 1)).allowed()).isFalse();
  }

  @Test
  void droppingChangesNothing() {
    for (int round = 0; round < 50; round++) {
      for (String key : List.of("a", "b")) {
        assertThat(acquire(key + round, 3).allowed()).isTrue();
        assertThat(acquire(key + round, 1).allowed()).isFalse();
      }
      time.advance(Duration.ofHours(1));
    }

    assertThat(store.statistics()).isEqualTo(new MemoryStatistics(2, 98, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9/h sliding_log",
        "9/h fixed_window",
        "9/2h fixed_window align first_request",
        "9/h sliding_window",
        "9/h burst 12",
        "1027/s",
      })
  void aLimitOfAnotherKindKeepsTheCountAndBack(String text) {
    Limit other = Limit.parse(text);
    acquire("a", 2);
    acquire("b", 1);

    assertThat(acquire("a", 1, other).remaining()).isEqualTo(other.capacity() - 3);
    assertThat(peek("b", other).remaining()).isEqualTo(other.capacity() - 1);
    assertThat(peek("a", HOURLY).remaining()).isZero();
    assertThat(acquire("b", 1, HOURLY).remaining()).isEqualTo(1);
    store.applyNow(new Operation.Refund(List.of(new Counter("api", "a", other)), 2));
    assertThat(acquire("a", 1, HOURLY).remaining()).isEqualTo(1);
  }

  @Test
  void theOverflowChangesItsLimitToo() {
    acquire("a", 1);
    acquire("b", 1);
    acquire("c", 2);
    Limit log = Limit.parse("5/h sliding_log");

    assertThat(acquire("d", 1, log).remaining()).isEqualTo(2);
    assertThat(acquire("e", 2, log).remaining()).isZero();
    assertThat(acquire("a", 1).remaining()).isEqualTo(1);
  }

  @Test
  void keysWithoutAPlaceForTheirPenaltyGoWithout() {
    violate("a");
    violate("b");
    violate("c");

    assertThat(violate("a").reason()).isEqualTo(Reason.PENALTY);
    assertThat(violate("b").reason()).isEqualTo(Reason.PENALTY);
    assertThat(violate("c").reason()).isEqualTo(Reason.COST_EXCEEDS_LIMIT);
  }

  private Decision violate(String key) {
    return store.applyNow(
        new Operation.Acquire(
            List.of(new Counter("api", key, HOURLY)),
            List.of(new PenaltyCounter("api", key, PENALTY)),
            4));
  }

  @Test
  void aPenaltyThatHasEndedMakesWay() {
    violate("a");
    violate("b");
    time.advance(Duration.ofHours(2));
    violate("c");

    assertThat(violate("c").reason()).isEqualTo(Reason.PENALTY);
    assertThat(store.statistics().dropped()).isEqualTo(2);
  }

  @Test
  void namesAreCountedApart() {
    acquire("a", 3);
    Operation other = new Operation.Acquire(List.of(new Counter("login", "a", HOURLY)), 3);

    assertThat(store.applyNow(other).allowed()).isTrue();
    assertThat(store.statistics().liveKeys()).isEqualTo(2);
  }

  @Test
  void closingFreesNobodyFromALimit() {
    RateLimiter limiter = RateLimiter.builder().store(store).limit(HOURLY).build();
    limiter.tryAcquire("a", 3);
    store.close();

    assertThat(limiter.tryAcquire("a", 3)).isFalse();
    assertThat(limiter.acquire("a", 3).allowed()).isFalse();
  }

  @Test
  void fingerprintsAreSecret() {
    MemoryCounterStore other = new MemoryCounterStore(time, 2);

    assertThat(store.fingerprint("alice")).isEqualTo(store.fingerprint("alice"));
    assertThat(store.fingerprint("alice")).isNotEqualTo(other.fingerprint("alice"));
    assertThat(store.fingerprint("")).isEqualTo(Cells.ALONE);
  }

  @Test
  void aKeyWithoutACounterStandsAsItWouldStart() {
    acquire("a", 1);
    acquire("b", 1);
    acquire("c", 2);
    time.advance(Duration.ofMinutes(20));
    acquire("d", 1);

    // One place is free, and the overflow still has one used.
    assertThat(store.statistics().liveKeys()).isEqualTo(1);
    assertThat(peek("e", HOURLY).remaining()).isEqualTo(2);
    assertThat(acquire("e", 1).remaining()).isEqualTo(1);
  }

  @Test
  void aRefundMakesWayForOthers() {
    acquire("a", 1);
    acquire("b", 2);
    acquire("c", 1);
    store.applyNow(new Operation.Refund(List.of(new Counter("api", "a", HOURLY)), 1));
    acquire("d", 1);

    assertThat(store.statistics()).isEqualTo(new MemoryStatistics(2, 1, 1));
  }

  @Test
  void aTableOfBucketsIsNarrowAgainSomeTimeAfterAChange() {
    Limit log = Limit.parse("9/h sliding_log");
    acquire("a", 1, log);
    acquire("b", 1, log);
    Segment segment = store.table("api").segment(store.fingerprint("a"));
    assertThat(segment).isNotNull();
    if (segment != null) {
      acquire("a", 1);
      assertThat(segment.cells().narrow).isNull();
      for (int i = 0; i < 20; i++) {
        peek("a", HOURLY);
      }
      assertThat(segment.cells().narrow).as("the other key is still a log").isNull();
      acquire("b", 1);
      for (int i = 0; i < 20; i++) {
        peek("a", HOURLY);
      }
      assertThat(segment.cells().narrow).isNotNull();
    }
    assertThat(peek("a", HOURLY).remaining()).isEqualTo(1);
    assertThat(peek("b", HOURLY).remaining()).isEqualTo(1);
  }

  @Test
  void aRecoveredKeyMakesWayAlsoAfterItsLimitHasChanged() {
    ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
    RateLimiter limiter = RateLimiter.builder().time(time).limit("1/h burst 2").maxKeys(2).build();
    limiter.acquire("a");
    limiter.acquire("b");
    limiter.acquire("c");
    limiter.changeLimits(Limit.parse("1/s burst 2"));
    limiter.acquire("a");
    limiter.acquire("b");
    time.advance(Duration.ofSeconds(10));
    limiter.acquire("d");

    assertThat(limiter.statistics().dropped()).isPositive();
    assertThat(limiter.statistics().overflowed()).isEqualTo(1);
  }

  @Test
  void aRecoveredKeyMakesWayAlsoAfterTheClockWentBack() {
    Instant start = Instant.parse("2026-03-01T10:00:00Z");
    ManualTime time = TimeSource.manual(start);
    RateLimiter limiter = RateLimiter.builder().time(time).limit("1/s burst 2").maxKeys(2).build();
    limiter.acquire("a");
    limiter.acquire("b");
    limiter.acquire("c");
    time.set(start.minusSeconds(3_600));
    limiter.acquire("a");
    limiter.acquire("b");
    time.advance(Duration.ofSeconds(10));
    limiter.acquire("d");

    assertThat(limiter.statistics().dropped()).isPositive();
    assertThat(limiter.statistics().overflowed()).isEqualTo(1);
  }
}
