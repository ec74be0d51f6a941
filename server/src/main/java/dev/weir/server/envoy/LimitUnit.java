package dev.weir.server.envoy;

import dev.weir.Period;
import dev.weir.envoy.api.RateLimitResponse.RateLimit.Unit;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The units that limits of Envoy are counted over: spans from the epoch on, also those that a
 * calendar knows.
 */
enum LimitUnit {
  SECOND(Unit.SECOND, Duration.ofSeconds(1)),
  MINUTE(Unit.MINUTE, Duration.ofMinutes(1)),
  HOUR(Unit.HOUR, Duration.ofHours(1)),
  DAY(Unit.DAY, Duration.ofDays(1)),
  WEEK(Unit.WEEK, Duration.ofDays(7)),
  MONTH(Unit.MONTH, Duration.ofDays(30)),
  YEAR(Unit.YEAR, Duration.ofDays(365));

  private final Unit unit;
  private final Duration length;

  LimitUnit(Unit unit, Duration length) {
    this.unit = unit;
    this.length = length;
  }

  /** The unit of that name, in whatever case; null if there is none. */
  static @Nullable LimitUnit named(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    for (LimitUnit candidate : values()) {
      if (candidate.name().equals(upper)) {
        return candidate;
      }
    }
    return null;
  }

  /** The unit that has this number on the wire; null if there is none. */
  static @Nullable LimitUnit numbered(int number) {
    for (LimitUnit candidate : values()) {
      if (candidate.unit.getNumber() == number) {
        return candidate;
      }
    }
    return null;
  }

  /** What a span is called on the wire; {@code UNKNOWN} if it is none of the units. */
  static Unit unitOf(Period.Span span) {
    for (LimitUnit candidate : values()) {
      if (candidate.length.equals(span.toDuration())) {
        return candidate.unit;
      }
    }
    return Unit.UNKNOWN;
  }

  Period.Span span() {
    return Period.Span.of(length);
  }

  /** The name in counters: {@code minute}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
