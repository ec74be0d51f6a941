package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CounterStore;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Period;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Clocks that step back, jump ahead or were not looked at for centuries. */
abstract class ClockScenarios extends StoreScenarios {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private final Instant last;

  ClockScenarios(Function<ManualTime, CounterStore> stores, Instant last) {
    super(stores);
    this.last = last;
  }

  /** Five a minute by each algorithm, and the wait for one permit when all five were just used. */
  private static Map<Limit, Duration> waits() {
    Map<Limit, Duration> waits = new LinkedHashMap<>();
    waits.put(Limit.perMinute(5), seconds(12));
    waits.put(Limit.fixedWindow(5, MINUTE), MINUTE);
    waits.put(new FixedWindow(5, Period.Span.of(MINUTE), FixedWindow.Align.FIRST_REQUEST), MINUTE);
    waits.put(Limit.slidingWindow(5, MINUTE), seconds(72));
    waits.put(Limit.slidingLog(5, MINUTE), MINUTE);
    return waits;
  }

  @Test
  @DisplayName("refills nothing and waits no longer when the clock steps back an hour (T35, T37)")
  void refillsNothingWhenTheClockStepsBack() {
    waits()
        .forEach(
            (limit, wait) -> {
              Subject store = subjectAt("2026-01-05T12:30:00Z");
              assertThat(store.passing(limit, 10)).isEqualTo(5);
              store.advance(HOUR.negated());
              assertThat(store.acquire(limit, 1))
                  .as("%s", limit)
                  .returns(false, decision -> decision.allowed())
                  .returns(0L, decision -> decision.remaining())
                  .returns(wait, decision -> decision.retryAfter());
              store.advance(wait.minus(Subject.ofMicros(1)));
              assertThat(store.acquire(limit, 1).allowed()).as("%s, early", limit).isFalse();
              store.advanceMicros(1);
              assertThat(store.acquire(limit, 1).allowed()).as("%s, in time", limit).isTrue();
            });
  }

  @Test
  @DisplayName("grants one capacity when the clock steps ahead an hour (T35, T37)")
  void grantsOneCapacityWhenTheClockStepsAhead() {
    for (Limit limit : waits().keySet()) {
      Subject store = subjectAt("2026-01-05T12:30:00Z");
      assertThat(store.passing(limit, 10)).isEqualTo(5);
      store.advance(HOUR);
      assertThat(store.passing(limit, 10)).as("%s", limit).isEqualTo(5);
    }
  }

  @Test
  void writesASettledStateWithARefusalButNotWithAPeek() {
    for (Limit limit : waits().keySet()) {
      Subject peeked = subjectAt("2026-01-05T12:30:00Z");
      assertThat(peeked.passing(limit, 10)).isEqualTo(5);
      peeked.advance(HOUR.negated());
      assertThat(peeked.peek(limit, 1).allowed()).isFalse();
      assertThat(peeked.acquire(limit, 0).remaining()).isEqualTo(0);
      peeked.advance(HOUR);
      assertThat(peeked.passing(limit, 10)).as("%s, after a peek", limit).isEqualTo(0);

      Subject refused = subjectAt("2026-01-05T12:30:00Z");
      assertThat(refused.passing(limit, 10)).isEqualTo(5);
      refused.advance(HOUR.negated());
      assertThat(refused.acquire(limit, 1).allowed()).isFalse();
      refused.advance(HOUR);
      assertThat(refused.passing(limit, 10)).as("%s, after a refusal", limit).isEqualTo(5);
    }
  }

  @Test
  void settlesABucketByTheBurstItWasChargedUnder() {
    Subject store = subjectAt("2026-01-05T12:30:00Z");
    Limit burst = Limit.perMinute(5).withBurst(50);
    assertThat(store.acquire(burst, 50).allowed()).isTrue();
    store.advance(HOUR.negated());
    // Ten minutes for 50 permits; 4 of them are used 48 s before the end.
    Limit five = Limit.perMinute(5);
    assertThat(store.acquire(five, 1))
        .isEqualTo(store.refused(five, 0, Duration.ofMinutes(10), seconds(552)));
  }

  @Test
  @DisplayName("holds exactly one capacity after 12 hours, and after 292 years (T38)")
  void holdsOneCapacityAfterCenturies() {
    Instant start = Instant.parse("2026-01-05T12:30:00Z");
    Duration centuries = Duration.ofDays(106_652);
    Duration most = Duration.between(start, last.minus(HOUR));
    for (Limit limit : waits().keySet()) {
      for (Duration idle :
          List.of(Duration.ofHours(12), most.compareTo(centuries) < 0 ? most : centuries)) {
        Subject store = subjectAt(start.toString());
        assertThat(store.passing(limit, 10)).isEqualTo(5);
        store.advance(idle);
        assertThat(store.peek(limit, 5)).isEqualTo(store.allowed(limit, 5, Duration.ZERO));
        assertThat(store.passing(limit, 10)).as("%s after %s", limit, idle).isEqualTo(5);
      }
    }
  }

  @Test
  void countsFromTheFirstInstantToTheLast() {
    for (Limit limit : waits().keySet()) {
      for (Instant instant : List.of(Instant.EPOCH, last.minus(HOUR))) {
        Subject store = subjectAt("1970-01-01T00:00:00Z");
        store.advanceMicros(EpochMicros.of(instant));
        assertThat(store.passing(limit, 10)).as("%s at %s", limit, instant).isEqualTo(5);
        store.advance(Duration.ofMinutes(2));
        assertThat(store.passing(limit, 10)).as("%s after %s", limit, instant).isEqualTo(5);
      }
    }
  }

  @Test
  void showsNothingOfWhatWasResetOrRefundedWhenTheClockStepsBack() {
    waits()
        .keySet()
        .forEach(
            limit -> {
              Subject store = subjectAt("2026-01-05T12:30:00Z");
              store.acquire(limit, 5);
              store.reset(limit);
              store.advanceMicros(-1);
              assertThat(store.peek(limit, 5))
                  .as("reset")
                  .isEqualTo(store.allowed(limit, 5, Duration.ZERO));
              store.acquire(limit, 3);
              store.refund(limit, 3);
              store.advanceMicros(-1);
              assertThat(store.peek(limit, 5))
                  .as("refund")
                  .isEqualTo(store.allowed(limit, 5, Duration.ZERO));
            });
  }

  @Test
  void bringsABucketBackByTheBurstItWasChargedUnder() {
    TokenBucket small = Limit.perMinute(60).withBurst(7);
    TokenBucket large = small.withBurst(40);
    Subject store = subjectAt("2026-01-05T12:30:00Z");
    store.acquire(small, 7);
    store.advance(HOUR.negated());
    assertThat(store.acquire(large, 4))
        .as("7 used of the small burst, none refilled, 4 more")
        .isEqualTo(store.allowed(large, 29, seconds(11)));
  }
}
