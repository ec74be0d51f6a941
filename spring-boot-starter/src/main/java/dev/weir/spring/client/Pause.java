package dev.weir.spring.client;

import dev.weir.TimeSource;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How long an answer asks to be left alone, by {@code Retry-After} and {@code RateLimit}. */
final class Pause {
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;
  private static final int LONGEST_FIELD = 4_096;

  /** One item of {@code RateLimit}: a name, and parameters of which r and t matter. */
  private static final Pattern ITEM =
      Pattern.compile(
          "\"[^\"]{0,255}\"((?:;\\s*[a-z][a-z0-9_.*-]{0,63}(?:=[^;,\"]{0,63})?){0,16})");

  private static final Pattern REMAINING = Pattern.compile(";\\s*r=(\\d{1,15})(?=;|\\s|$)");
  private static final Pattern RESET = Pattern.compile(";\\s*t=(\\d{1,15})(?=;|\\s|$)");

  private Pause() {}

  /** The longest of all pauses that the fields ask for; zero if there is none. */
  static Duration in(int status, OutgoingLimits.Fields fields, TimeSource time) {
    Duration longest = Duration.ZERO;
    if (status == TOO_MANY_REQUESTS || status == UNAVAILABLE) {
      longest = retryAfter(fields.value("Retry-After"), time);
    }
    Duration reset = exhausted(fields.value("RateLimit"));
    return reset.compareTo(longest) > 0 ? reset : longest;
  }

  private static Duration retryAfter(@Nullable String value, TimeSource time) {
    if (value == null) {
      return Duration.ZERO;
    }
    String text = value.strip();
    if (text.matches("\\d{1,15}")) {
      return Duration.ofSeconds(Long.parseLong(text));
    }
    try {
      Instant until = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      Instant now = Instant.EPOCH.plus(time.nowMicros(), ChronoUnit.MICROS);
      return until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO;
    } catch (DateTimeException noDate) {
      return Duration.ZERO;
    }
  }

  /** Until the last of those limits is reset that have nothing left. */
  private static Duration exhausted(@Nullable String value) {
    if (value == null || value.length() > LONGEST_FIELD) {
      return Duration.ZERO;
    }
    long longest = 0;
    Matcher items = ITEM.matcher(value);
    while (items.find()) {
      Matcher remaining = REMAINING.matcher(items.group(1));
      Matcher reset = RESET.matcher(items.group(1));
      if (remaining.find() && reset.find() && Long.parseLong(remaining.group(1)) == 0) {
        longest = Math.max(longest, Long.parseLong(reset.group(1)));
      }
    }
    return Duration.ofSeconds(longest);
  }
}
