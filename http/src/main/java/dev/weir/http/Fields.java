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
  static final long MICROS_PER_SECOND = 1_000_000;

  /** Of most; a longer one takes a little longer. */
  private static final int STANDING_LENGTH = 48;

  private Fields() {}

  /** Names each field with its value. */
  static void write(
      Verdict verdict,
      List<NamedLimit> limits,
      ResponseSettings settings,
      BiConsumer<String, String> fields) {
    LimitStatus decisive = verdict.decisive();
    if (decisive != null) {
      String remaining = Long.toString(decisive.remaining());
      if (settings.headers().contains(HeaderFamily.X_RATELIMIT)) {
        FieldNames names = FieldNames.of(settings.headerPrefix());
        fields.accept(names.limit(), capacity(decisive, limits));
        fields.accept(names.remaining(), remaining);
        fields.accept(names.reset(), Long.toString(roundedUp(decisive.resetMicros())));
      }
      if (settings.headers().contains(HeaderFamily.IETF)) {
        fields.accept("RateLimit-Policy", policy(verdict, limits));
        fields.accept(
            "RateLimit",
            limits.size() == 1
                ? standing(verdict, limits.get(0), remaining)
                : standings(verdict, limits));
      }
    }
    if (verdict.retryAfterSeconds() > 0) {
      fields.accept("Retry-After", Long.toString(verdict.retryAfterSeconds()));
    }
  }

  private static String capacity(LimitStatus decisive, List<NamedLimit> limits) {
    return limits.size() == 1
        ? limits.get(0).texts().capacity()
        : Long.toString(decisive.limit().capacity());
  }

  /** {@code "chat";q=10;w=60} for each limit. */
  private static String policy(Verdict verdict, List<NamedLimit> limits) {
    if (limits.size() == 1) {
      return limits.get(0).texts().policyAt(verdict.atMicros());
    }
    StringBuilder text = new StringBuilder();
    for (NamedLimit limit : limits) {
      next(text).append(limit.texts().policyAt(verdict.atMicros()));
    }
    return text.toString();
  }

  /** {@code "chat";r=0;t=31} for each limit. */
  private static String standings(Verdict verdict, List<NamedLimit> limits) {
    StringBuilder text = new StringBuilder(limits.size() * STANDING_LENGTH);
    for (NamedLimit limit : limits) {
      String remaining = Long.toString(limit.status().remaining());
      next(text).append(standing(verdict, limit, remaining));
    }
    return text.toString();
  }

  private static String standing(Verdict verdict, NamedLimit limit, String remaining) {
    return limit.texts().item() + ";r=" + remaining + ";t=" + secondsToReset(verdict, limit);
  }

  private static StringBuilder next(StringBuilder text) {
    return text.length() == 0 ? text : text.append(", ");
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

  static long roundedUp(long micros) {
    return -Math.floorDiv(-micros, MICROS_PER_SECOND);
  }
}
