package dev.weir.http;

import dev.weir.LimitStatus;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.ResponseSettings;
import dev.weir.policy.config.ResponseSettings.HeaderFamily;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The header fields of an answer: {@code X-RateLimit-*}, those of
 * draft-ietf-httpapi-ratelimit-headers-11, and {@code Retry-After}. Their values are printable
 * ASCII, whatever the names of rules hold.
 */
final class Fields {
  private static final long MICROS_PER_SECOND = 1_000_000;

  private Fields() {}

  /** Names each field with its value. */
  static void write(
      Verdict verdict,
      List<NamedLimit> limits,
      ResponseSettings settings,
      BiConsumer<String, String> fields) {
    LimitStatus decisive = verdict.decisive();
    if (decisive != null && settings.headers().contains(HeaderFamily.X_RATELIMIT)) {
      FieldNames names = FieldNames.of(settings.headerPrefix());
      fields.accept(names.limit(), Long.toString(decisive.limit().capacity()));
      fields.accept(names.remaining(), Long.toString(decisive.remaining()));
      fields.accept(names.reset(), Long.toString(roundedUp(decisive.resetMicros())));
    }
    if (decisive != null && settings.headers().contains(HeaderFamily.IETF)) {
      fields.accept("RateLimit-Policy", policy(verdict, limits));
      fields.accept("RateLimit", standing(verdict, limits));
    }
    if (verdict.retryAfterSeconds() > 0) {
      fields.accept("Retry-After", Long.toString(verdict.retryAfterSeconds()));
    }
  }

  /** {@code "chat";q=10;w=60} for each limit. */
  private static String policy(Verdict verdict, List<NamedLimit> limits) {
    StringBuilder text = new StringBuilder();
    for (NamedLimit limit : limits) {
      appendName(text, limit.name());
      text.append(";q=").append(limit.status().limit().capacity());
      long windowMicros = WindowLength.micros(limit.status().limit(), verdict.atMicros());
      if (windowMicros >= MICROS_PER_SECOND) {
        text.append(";w=").append(roundedUp(windowMicros));
      }
    }
    return text.toString();
  }

  /** {@code "chat";r=0;t=31} for each limit. */
  private static String standing(Verdict verdict, List<NamedLimit> limits) {
    StringBuilder text = new StringBuilder();
    for (NamedLimit limit : limits) {
      appendName(text, limit.name());
      text.append(";r=").append(limit.status().remaining());
      text.append(";t=").append(secondsToReset(verdict, limit));
    }
    return text.toString();
  }

  /**
   * Until all is there again; a client that is told to retry earlier is not told to wait longer.
   */
  private static long secondsToReset(Verdict verdict, NamedLimit limit) {
    long micros = limit.status().resetMicros() - verdict.atMicros();
    long seconds = roundedUp(Math.max(0, micros));
    long retryAfter = verdict.retryAfterSeconds();
    return limit.isDecisive() && retryAfter > 0 ? Math.min(seconds, retryAfter) : seconds;
  }

  /** As an item of a structured field (RFC 9651), behind a comma if there are some before. */
  private static void appendName(StringBuilder text, String name) {
    StructuredText.append(text.append(text.length() == 0 ? "" : ", "), name);
  }

  private static long roundedUp(long micros) {
    return -Math.floorDiv(-micros, MICROS_PER_SECOND);
  }
}
