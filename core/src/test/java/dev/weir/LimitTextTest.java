package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitTextTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1/s",
        "100/s",
        "10/60s",
        "10/250ms",
        "10/1ms",
        "7/m",
        "7/90m",
        "5/h",
        "5/24h",
        "3/d",
        "3/366d",
        "2/week",
        "2/3week",
        "100/m burst 20",
        "20/m burst 100",
        "1/h burst 1000",
        "1000000000000/s",
        "5/h sliding_log",
        "10000/d sliding_log",
        "8/week sliding_log",
        "8/10s sliding_window",
        "1000000000000/month fixed_window",
        "10/60s fixed_window",
        "10/d fixed_window",
        "10/2d fixed_window",
        "10/week fixed_window",
        "1000/month fixed_window",
        "10/60s fixed_window align first_request",
        "10/d fixed_window align first_request",
        "10/week fixed_window align first_request",
        "100/d fixed_window zone Europe/Berlin",
        "100/week fixed_window zone America/St_Johns",
        "100/month fixed_window zone +05:30",
      })
  void printsWhatItReads(String text) {
    Limit limit = Limit.parse(text);

    assertThat(limit).hasToString(text);
    assertThat(Limit.parse(limit.toString())).isEqualTo(limit);
  }

  @ParameterizedTest
  @CsvSource({
    "10/60, 10/60s",
    "10/1s, 10/s",
    "10/1m, 10/m",
    "10/1d, 10/d",
    "10/day, 10/d",
    "10/s token_bucket, 10/s",
    "10/s burst 10, 10/s",
    "10/s token_bucket burst 5, 10/s burst 5",
    "10/s burst 5 token_bucket, 10/s burst 5",
    "010/s, 10/s",
    "10/day fixed_window, 10/d fixed_window",
    "10/day fixed_window align first_request, 10/d fixed_window align first_request",
    "10/60s align epoch fixed_window, 10/60s fixed_window",
    "10/d zone UTC fixed_window, 10/d fixed_window",
    "10/month fixed_window align epoch zone Etc/UTC, 10/month fixed_window",
    "10/week zone Z fixed_window, 10/week fixed_window",
  })
  void readsOtherSpellingsOfTheSame(String text, String usual) {
    assertThat(Limit.parse(text)).hasToString(usual).isEqualTo(Limit.parse(usual));
  }

  @Test
  void anySpacesPartWords() {
    assertThat(Limit.parse("  10/s \t burst\n5  ")).hasToString("10/s burst 5");
  }

  @Test
  void readsEachAlgorithm() {
    Period.Span hour = new Period.Span(1, Period.Unit.HOUR);

    assertThat(Limit.parse("5/h")).isEqualTo(new TokenBucket(5, hour, 5));
    assertThat(Limit.parse("5/h burst 7")).isEqualTo(new TokenBucket(5, hour, 7));
    assertThat(Limit.parse("5/h sliding_log")).isEqualTo(new SlidingLog(5, hour));
    assertThat(Limit.parse("5/h sliding_window")).isEqualTo(new SlidingWindow(5, hour));
    assertThat(Limit.parse("5/h fixed_window"))
        .isEqualTo(new FixedWindow(5, hour, FixedWindow.Align.EPOCH));
    assertThat(Limit.parse("5/h fixed_window align first_request"))
        .isEqualTo(new FixedWindow(5, hour, FixedWindow.Align.FIRST_REQUEST));
  }

  @Test
  void calendarPeriodsAreOfTheZoneOrUtc() {
    assertThat(Limit.parse("5/month fixed_window").period())
        .isEqualTo(Period.Calendar.utc(Period.CalendarUnit.MONTH));
    assertThat(Limit.parse("5/week fixed_window zone Asia/Tokyo").period())
        .isEqualTo(new Period.Calendar(Period.CalendarUnit.WEEK, ZoneId.of("Asia/Tokyo")));
    assertThat(Limit.parse("5/d fixed_window zone Asia/Tokyo").period())
        .isEqualTo(new Period.Calendar(Period.CalendarUnit.DAY, ZoneId.of("Asia/Tokyo")));
  }

  @Test
  void periodsFromAFirstRequestAreSpans() {
    assertThat(Limit.parse("5/week fixed_window align first_request").period())
        .isEqualTo(new Period.Span(7, Period.Unit.DAY));
    assertThat(Limit.parse("5/week").period()).isEqualTo(new Period.Span(7, Period.Unit.DAY));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | must start with <permits>/<period>, for example 100/s",
        "100 | must start with <permits>/<period>, for example 100/s",
        "burst 20 | must start with <permits>/<period>, for example 100/s",
        "/s | permits \"\" is no number from 1 to 1000000000000, for example 100/s burst 20",
        "ten/s | permits \"ten\" is no number from 1 to 1000000000000, for example 100/s burst 20",
        "-3/s | permits \"-3\" is no number from 1 to 1000000000000, for example 100/s burst 20",
        "1.5/s | permits \"1.5\" is no number from 1 to 1000000000000, for example 100/s burst 20",
        "1/s/s | period \"s/s\" is unknown; write s, m, h, d, week, month or a duration such as 60s,"
            + " for example 100/s",
        "1/ | period \"\" is unknown; write s, m, h, d, week, month or a duration such as 60s, for"
            + " example 100/s",
        "1/60x | period \"60x\" is unknown; write s, m, h, d, week, month or a duration such as 60s,"
            + " for example 100/s",
        "1/S | period \"S\" is unknown; write s, m, h, d, week, month or a duration such as 60s, for"
            + " example 100/s",
        "1/ms | period \"ms\" has no number; write for example 250ms",
        "1/month | period month is for fixed_window only; write 30d or add fixed_window",
        "1/month sliding_log | period month is for fixed_window only; write 30d or add"
            + " fixed_window",
        "0/s | permits must be between 1 and 1000000000000, got 0",
        "1000000000001/s | permits must be between 1 and 1000000000000, got 1000000000001",
        "999999999999999999/s | permits must be between 1 and 1000000000000, got"
            + " 999999999999999999",
        "1000000000000000000/s | permits \"1000000000000000000\" is no number from 1 to"
            + " 1000000000000, for example 100/s burst 20",
        "10001/s sliding_log | permits must be between 1 and 10000 for sliding_log, got 10001",
        "1/0s | period must be between 1ms and 366d, got 0s",
        "1/367d | period must be between 1ms and 366d, got 367d",
        "1/9999999999999999999s | period \"9999999999999999999\" is no number from 1 to"
            + " 1000000000000, for example 100/s burst 20",
        "1/s burst 0 | burst must be between 1 and 1000000000000, got 0",
        "1/s burst many | burst \"many\" is no number from 1 to 1000000000000, for example 100/s"
            + " burst 20",
        "1/s burst | burst has no value; write for example burst 20",
        "1/s burst 2 burst 2 | burst is given twice; write it once",
        "1/s burst 2 sliding_log | burst is only for token_bucket, got it with sliding_log; leave"
            + " one of them out",
        "1/s fixed_window burst 2 | burst is only for token_bucket, got it with fixed_window; leave"
            + " one of them out",
        "1/s sliding_log sliding_log | algorithm is given twice; write it once",
        "1/s leaky | \"leaky\" is unknown; after the period write burst, align, zone or one of"
            + " token_bucket, fixed_window, sliding_window, sliding_log, for example 5/h"
            + " sliding_log",
        "1/s align epoch | align is only for fixed_window, for example 10/60s fixed_window align"
            + " first_request",
        "1/s sliding_window align epoch | align is only for fixed_window, for example 10/60s"
            + " fixed_window align first_request",
        "1/s fixed_window align | align has no value; write for example align first_request",
        "1/s fixed_window align noon | align \"noon\" is unknown; write epoch or first_request",
        "1/s fixed_window align epoch align epoch | align is given twice; write it once",
        "1/month fixed_window align first_request | align must be epoch for a calendar period, got"
            + " first_request with month; write the period as a duration, for example 30d",
        "1/d zone UTC | zone is only for fixed_window, for example 100/d fixed_window zone"
            + " Europe/Berlin",
        "1/d fixed_window zone | zone has no value; write for example zone Europe/Berlin",
        "1/d fixed_window zone Mars | zone \"Mars\" is unknown; write for example Europe/Berlin or"
            + " UTC",
        "1/d fixed_window zone UTC zone UTC | zone is given twice; write it once",
        "5/d fixed_window align first_request zone Europe/Berlin | zone is for windows of the"
            + " calendar, got it with first_request; leave one out",
        "1/2d fixed_window zone UTC | zone needs a calendar period, got 2d; write d, week or month",
        "1/d burst 1000000 | burst must fill within 36600d, got burst 1000000 refilled at 1/d",
        "999999999999/s | permits and burst must be small or round enough to be counted exactly"
            + " (2^53 ticks), got 999999999999/s burst 999999999999; write rounder permits or a"
            + " smaller burst, for example 1000000/s",
      })
  void saysWhatIsWrongAndWhatIsRight(String text, String message) {
    assertThatThrownBy(() -> Limit.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("limit \"" + text + "\": " + message);
  }
}
