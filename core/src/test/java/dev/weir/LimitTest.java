package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTest {
  private static final Period.Span SECOND = new Period.Span(1, Period.Unit.SECOND);

  @Test
  void factoriesMakeWhatTheySay() {
    Duration minute = Duration.ofMinutes(1);

    assertThat(Limit.tokenBucket(10, minute)).hasToString("10/m");
    assertThat(Limit.fixedWindow(10, minute)).hasToString("10/m fixed_window");
    assertThat(Limit.slidingWindow(10, minute)).hasToString("10/m sliding_window");
    assertThat(Limit.slidingLog(10, minute)).hasToString("10/m sliding_log");
    assertThat(Limit.perSecond(10)).hasToString("10/s");
    assertThat(Limit.perMinute(10)).hasToString("10/m");
    assertThat(Limit.perHour(10)).hasToString("10/h");
    assertThat(Limit.perDay(10)).hasToString("10/d");
  }

  @Test
  void limitsAreEqualHoweverThePeriodIsWritten() {
    assertThat(Limit.parse("10/60s")).isEqualTo(Limit.perMinute(10));
    assertThat(Limit.parse("10/60s sliding_log")).isEqualTo(Limit.parse("10/m sliding_log"));
    assertThat(Limit.parse("10/24h fixed_window")).isEqualTo(Limit.parse("10/d fixed_window"));
    assertThat(Limit.perMinute(10)).isNotEqualTo(Limit.perMinute(11));
  }

  @ParameterizedTest
  @CsvSource({
    "10/s burst 20, 20, TOKEN_BUCKET",
    "10/s fixed_window, 10, FIXED_WINDOW",
    "10/s sliding_window, 10, SLIDING_WINDOW",
    "10/s sliding_log, 10, SLIDING_LOG",
  })
  void knowsItsCapacityAndAlgorithm(String text, long capacity, Algorithm algorithm) {
    Limit limit = Limit.parse(text);

    assertThat(limit.permits()).isEqualTo(10);
    assertThat(limit.period()).isEqualTo(SECOND);
    assertThat(limit.capacity()).isEqualTo(capacity);
    assertThat(limit.algorithm()).isEqualTo(algorithm);
  }

  @Test
  void withBurstChangesTheBurstOnly() {
    assertThat(Limit.perSecond(10).withBurst(25)).hasToString("10/s burst 25");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Limit.MAX_PERMITS + 1, Long.MAX_VALUE, Long.MIN_VALUE})
  void refusesPermitsOutOfBounds(long permits) {
    String message = "permits must be between 1 and 1000000000000, got " + permits;

    assertThatThrownBy(() -> new TokenBucket(permits, SECOND, 1)).hasMessage(message);
    assertThatThrownBy(() -> Limit.fixedWindow(permits, Duration.ofSeconds(1))).hasMessage(message);
    assertThatThrownBy(() -> new SlidingWindow(permits, SECOND)).hasMessage(message);
    assertThatThrownBy(() -> new TokenBucket(1, SECOND, permits))
        .hasMessage("burst must be between 1 and 1000000000000, got " + permits);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 10_001})
  void refusesLogsThatAreEmptyOrTooLong(long permits) {
    assertThatThrownBy(() -> new SlidingLog(permits, SECOND))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("permits must be between 1 and 10000 for sliding_log, got " + permits);
  }

  @Test
  void acceptsTheBounds() {
    assertThat(new SlidingLog(1, SECOND).permits()).isEqualTo(1);
    assertThat(new SlidingLog(10_000, SECOND).permits()).isEqualTo(10_000);
    assertThat(Limit.perSecond(1).burst()).isEqualTo(1);
    assertThat(Limit.perSecond(Limit.MAX_PERMITS).burst()).isEqualTo(Limit.MAX_PERMITS);
  }

  @Test
  void aBucketFillsWithin36600Days() {
    assertThat(Limit.perDay(1).withBurst(36_600).burst()).isEqualTo(36_600);
    assertThatThrownBy(() -> Limit.perDay(1).withBurst(36_601))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("burst must fill within 36600d, got burst 36601 refilled at 1/d");
    assertThatThrownBy(
            () -> Limit.tokenBucket(1, Duration.ofDays(366)).withBurst(Limit.MAX_PERMITS))
        .hasMessage("burst must fill within 36600d, got burst 1000000000000 refilled at 1/366d");
  }

  @Test
  @DisplayName("T40: numbers that a script cannot hold exactly are refused")
  void aBucketIsCountedInFewerThan2To53Ticks() {
    // A permit takes 1/1048577 s: no whole microseconds and 1000000 ticks.
    long most = ((1L << 53) - 1) / 1_000_000;
    TokenBucket bucket = new TokenBucket(1_048_577, SECOND, most);

    assertThat(bucket.burst()).isEqualTo(most);
    assertThatThrownBy(() -> bucket.withBurst(most + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "permits and burst must be small or round enough to be counted exactly (2^53 ticks), got"
                + " 1048577/s burst 9007199255; write rounder permits or a smaller burst, for"
                + " example 1000000/s");
  }

  @Test
  void twoTo53TicksAreTooMany() {
    // 524289 ticks pass in a microsecond, and a permit is 2^19 of them.
    TokenBucket bucket =
        new TokenBucket(65_536_125, new Period.Span(65_536, Period.Unit.MILLISECOND), 1);

    assertThat(bucket.withBurst((1L << 34) - 1).burst()).isEqualTo((1L << 34) - 1);
    assertThatThrownBy(() -> bucket.withBurst(1L << 34)).hasMessageContaining("2^53 ticks");
  }

  @Test
  void aUtcDayIsASpan() {
    FixedWindow day =
        new FixedWindow(1, Period.Calendar.utc(Period.CalendarUnit.DAY), FixedWindow.Align.EPOCH);

    assertThat(day.period()).isEqualTo(new Period.Span(1, Period.Unit.DAY));
  }

  @Test
  void aCalendarHasNoFirstRequest() {
    Period week = Period.Calendar.utc(Period.CalendarUnit.WEEK);

    assertThatThrownBy(() -> new FixedWindow(1, week, FixedWindow.Align.FIRST_REQUEST))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "align must be epoch for a calendar period, got first_request with week; write the"
                + " period as a duration, for example 30d");
  }

  @Test
  void namesAreThoseOfTexts() {
    assertThat(Algorithm.values())
        .extracting(Algorithm::toString)
        .containsExactly("token_bucket", "fixed_window", "sliding_window", "sliding_log");
    assertThat(FixedWindow.Align.values())
        .extracting(FixedWindow.Align::toString)
        .containsExactly("epoch", "first_request");
    assertThat(Reason.values())
        .extracting(Reason::toString)
        .containsExactly("within_limits", "limit_exceeded", "cost_exceeds_limit", "penalty");
  }
}
