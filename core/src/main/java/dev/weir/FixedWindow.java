package dev.weir;

import java.time.ZoneOffset;
import java.util.Objects;

/**
 * At most {@code permits} in each window; around the border of two windows up to twice as many.
 *
 * @param permits per window, from 1 to {@link Limit#MAX_PERMITS}
 * @param period the window: a span, or each day, week or month of a calendar
 * @param align where windows of a span start; a calendar's windows start with its units
 */
public record FixedWindow(long permits, Period period, Align align) implements Limit {

  /** Where the windows of a span start. */
  public enum Align {
    /** At multiples of the period since the epoch. */
    EPOCH("epoch"),
    /** At the first request after the window before has ended. */
    FIRST_REQUEST("first_request");

    private final String text;

    Align(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  public FixedWindow {
    Objects.requireNonNull(align, "align");
    Limits.requirePermits("permits", permits);
    if (period instanceof Period.Span span && align == Align.EPOCH) {
      // As a text, week means the calendar's; weeks counted from the epoch are written in days.
      period = span.unit() == Period.Unit.WEEK ? Period.Span.of(span.toDuration()) : span;
    }
    if (period instanceof Period.Calendar calendar) {
      if (align == Align.FIRST_REQUEST) {
        throw new IllegalArgumentException(
            "align must be epoch for a calendar period, got first_request with "
                + calendar
                + "; write the period as a duration, for example 30d");
      }
      // A UTC day is a span aligned to the epoch; held as one, it needs no calendar.
      if (calendar.unit() == Period.CalendarUnit.DAY && calendar.zone().equals(ZoneOffset.UTC)) {
        period = new Period.Span(1, Period.Unit.DAY);
      }
    }
  }

  @Override
  public Algorithm algorithm() {
    return Algorithm.FIXED_WINDOW;
  }

  @Override
  public String toString() {
    String text = permits + "/" + period + " " + algorithm();
    if (align != Align.EPOCH) {
      text += " align " + align;
    }
    if (period instanceof Period.Calendar calendar && !calendar.zone().equals(ZoneOffset.UTC)) {
      text += " zone " + calendar.zone();
    }
    return text;
  }
}
