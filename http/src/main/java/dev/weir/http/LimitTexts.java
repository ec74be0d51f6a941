package dev.weir.http;

import dev.weir.Limit;
import dev.weir.Period;
import dev.weir.policy.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * What answers always say of a limit of a rule, put together once: with every request they say it
 * again.
 *
 * @param limit the limit
 * @param number which it is among those of its name
 * @param name unique in its verdict
 * @param item the name as an item of a structured field (RFC 9651)
 * @param capacity how much it allows
 * @param policy its part of {@code RateLimit-Policy}; null if that is not always the same
 */
record LimitTexts(
    Limit limit, int number, String name, String item, String capacity, @Nullable String policy) {
  private static final String ENDPOINT = "endpoint:";

  /** The texts of a limit that is the one of that number of its name. */
  @SuppressWarnings("ReferenceEquality") // Of an equal one the texts are made again.
  static LimitTexts of(Verdict.Standing standing, int number) {
    Limit limit = standing.status().limit();
    if (standing.bookmark().at() instanceof LimitTexts known
        && known.limit == limit
        && known.number == number) {
      return known;
    }
    LimitTexts texts = of(standing.rule(), number, limit);
    standing.bookmark().leave(texts);
    return texts;
  }

  private static LimitTexts of(String rule, int number, Limit limit) {
    String name = withoutKind(rule) + (number == 1 ? "" : "#" + number);
    StringBuilder item = new StringBuilder();
    StructuredText.append(item, name);
    LimitTexts texts =
        new LimitTexts(limit, number, name, item.toString(), Long.toString(limit.capacity()), null);
    return limit.period() instanceof Period.Calendar
        ? texts
        : new LimitTexts(limit, number, name, texts.item, texts.capacity, texts.policyAt(0));
  }

  static String withoutKind(String rule) {
    return rule.startsWith(ENDPOINT) ? rule.substring(ENDPOINT.length()) : rule;
  }

  /** Its part of {@code RateLimit-Policy}, {@code "chat";q=10;w=60}, at that time. */
  String policyAt(long nowMicros) {
    if (policy != null) {
      return policy;
    }
    long windowMicros = WindowLength.micros(limit, nowMicros);
    return item
        + ";q="
        + capacity
        + (windowMicros < Fields.MICROS_PER_SECOND ? "" : ";w=" + Fields.roundedUp(windowMicros));
  }
}
