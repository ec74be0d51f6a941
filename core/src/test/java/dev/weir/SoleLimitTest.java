package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SoleLimitTest {
  private static final Limit NEVER_REACHED = Limit.parse("1000000000/s");
  private static final String KEY = "alice";

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  private final ManualTime time = TimeSource.manual(START);
  private final MemoryCounterStore store = new MemoryCounterStore(time, 100);

  private static Counter counter(Limit limit) {
    return new Counter("chat", KEY, limit);
  }

  private Decision apply(Limit limit, long cost) {
    return store.applyNow(new Operation.Acquire(List.of(counter(limit)), cost));
  }

  private @Nullable Decision shortWay(Limit limit, long cost) {
    return SoleLimit.acquire(
        store.table("chat"), store.fingerprint(KEY), counter(limit), time.nowMicros(), cost);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "3/s burst 9",
        "3/m",
        "20/m fixed_window",
        "20/10s fixed_window align first_request",
        "20/m sliding_window",
        "20/m sliding_log",
      })
  void decidesAsATransactionDoes(String text) {
    Limit limit = Limit.parse(text);
    MemoryCounterStore other = new MemoryCounterStore(time, 100);
    Random random = new Random(text.hashCode());
    int shortWays = 0;
    int refusals = 0;
    for (int i = 0; i < 5_000; i++) {
      time.advance(Duration.ofMillis(random.nextInt(i % 50 == 0 ? 60_000 : 700)));
      long cost = random.nextInt(4);
      Decision decision = shortWay(limit, cost);
      if (decision == null) {
        decision = apply(limit, cost);
      } else {
        shortWays++;
      }
      refusals += decision.allowed() ? 0 : 1;
      // Under two limits there is no short way.
      Decision expected =
          other.applyNow(
              new Operation.Acquire(
                  List.of(counter(limit), new Counter("more", KEY, NEVER_REACHED)), cost));

      assertThat(decision.reason()).isEqualTo(expected.reason());
      assertThat(decision.atMicros()).isEqualTo(expected.atMicros());
      assertThat(decision.retryAfterMicros()).isEqualTo(expected.retryAfterMicros());
      assertThat(decision.limits()).containsExactly(expected.limits().get(0));
    }
    assertThat(shortWays).isGreaterThan(3_000);
    assertThat(refusals).isGreaterThan(500);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5/m", "5/m fixed_window"})
  void isNoneWithoutACellAndForOtherCosts(String text) {
    Limit limit = Limit.parse(text);
    assertThat(shortWay(limit, 1)).isNull();
    apply(limit, 1);

    assertThat(shortWay(limit, 0)).isNull();
    assertThat(shortWay(limit, 6)).isNull();
    Decision decision = shortWay(limit, 4);
    assertThat(decision).isNotNull();
    assertThat(decision == null ? -1 : decision.remaining()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"5/m", "5/m fixed_window"})
  void isNoneUnderAnotherLimitThanTheLast(String text) {
    apply(Limit.parse(text), 2);

    assertThat(shortWay(Limit.parse("5/h sliding_window"), 1)).isNull();
    assertThat(shortWay(Limit.parse("7/s burst 20"), 1)).isNull();
    assertThat(apply(Limit.parse("5/h sliding_window"), 1).remaining()).isEqualTo(2);
  }

  @Test
  void anotherNumberOfPermitsIsNoOtherLimitForAWindow() {
    apply(Limit.parse("5/m fixed_window"), 2);
    Decision decision = shortWay(Limit.parse("9/m fixed_window"), 1);

    assertThat(decision == null ? -1 : decision.remaining()).isEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(strings = {"5/m", "5/m fixed_window", "5/m sliding_log"})
  void isNoneAfterTheClockWentBackOrAllWasGivenBack(String text) {
    Limit limit = Limit.parse(text);
    apply(limit, 3);
    time.set(START.minus(Duration.ofHours(2)));
    assertThat(shortWay(limit, 1)).isNull();

    time.set(START);
    store.applyNow(new Operation.Refund(List.of(counter(limit)), 3));
    Decision after = apply(limit, 1);
    assertThat(after.remaining()).isEqualTo(4);
  }
}
