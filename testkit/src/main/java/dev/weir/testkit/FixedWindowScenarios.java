package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.CounterStore;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Period;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Fixed windows of a span, by hand. */
abstract class FixedWindowScenarios extends StoreScenarios {

  FixedWindowScenarios(Function<ManualTime, CounterStore> stores) {
    super(stores);
  }

  @Test
  void opensANewWindowAtTheVeryMicrosecond() {
    FixedWindow limit = Limit.fixedWindow(5, seconds(10));
    Subject store = subjectAt("2026-01-05T00:00:07Z");
    assertThat(store.acquire(limit, 4)).isEqualTo(store.allowed(limit, 1, seconds(3)));
    assertThat(store.acquire(limit, 2)).isEqualTo(store.refused(limit, 1, seconds(3), seconds(3)));
    assertThat(store.acquire(limit, 1)).isEqualTo(store.allowed(limit, 0, seconds(3)));
    store.advanceMicros(2_999_999);
    assertThat(store.acquire(limit, 1))
        .isEqualTo(store.refused(limit, 0, Subject.ofMicros(1), Subject.ofMicros(1)));
    store.advanceMicros(1);
    assertThat(store.acquire(limit, 1)).isEqualTo(store.allowed(limit, 4, seconds(10)));
  }

  @Test
  @DisplayName("lets twice the permits pass around the edge of two windows (T34)")
  void letsTwiceThePermitsPassAroundTheEdge() {
    FixedWindow limit = Limit.fixedWindow(10, Duration.ofMinutes(1));
    Subject store = subjectAt("2026-01-05T00:00:59.999Z");
    assertThat(store.passing(limit, 20)).isEqualTo(10);
    store.advance(millis(2));
    assertThat(store.passing(limit, 20)).isEqualTo(10);
  }

  @Test
  void startsAWindowWithTheFirstRequest() {
    FixedWindow limit =
        new FixedWindow(5, Period.Span.of(seconds(10)), FixedWindow.Align.FIRST_REQUEST);
    Subject store = subjectAt("2026-01-05T00:00:07Z");
    assertThat(store.peek(limit, 1)).isEqualTo(store.allowed(limit, 5, Duration.ZERO));
    store.advance(seconds(1));
    assertThat(store.acquire(limit, 5)).isEqualTo(store.allowed(limit, 0, seconds(10)));
    store.advance(seconds(4));
    assertThat(store.acquire(limit, 1)).isEqualTo(store.refused(limit, 0, seconds(6), seconds(6)));
    store.advance(seconds(6));
    assertThat(store.peek(limit, 5)).isEqualTo(store.allowed(limit, 5, Duration.ZERO));
    store.advance(seconds(3));
    assertThat(store.acquire(limit, 2)).isEqualTo(store.allowed(limit, 3, seconds(10)));
  }
}
