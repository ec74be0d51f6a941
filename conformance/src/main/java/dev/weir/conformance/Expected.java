package dev.weir.conformance;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a request must be answered with. */
sealed interface Expected {

  /**
   * An answer. What is null or empty must be absent.
   *
   * @param overall the overall code
   * @param statuses one for each descriptor
   * @param headers the three header fields
   * @param metadata the dynamic metadata, as plain maps, lists, texts and numbers
   */
  record Answer(
      String overall,
      List<Status> statuses,
      @Nullable Headers headers,
      @Nullable Map<String, Object> metadata)
      implements Expected {}

  /**
   * An error.
   *
   * @param codes the status codes of gRPC that are right
   * @param message what the message must contain
   */
  record Failure(Set<String> codes, String message) implements Expected {}

  /**
   * What is said about one descriptor.
   *
   * @param code OK or OVER_LIMIT
   * @param limit the limit that holds, if one does
   * @param remaining for each repetition what remains
   * @param reset seconds until the window ends
   */
  record Status(String code, @Nullable Rate limit, Countdown remaining, @Nullable Long reset) {}

  /**
   * Numbers at even distances over the repetitions of a step.
   *
   * @param first at the first repetition
   * @param last at the last
   */
  record Countdown(long first, long last) {

    static Countdown parse(String text) {
      int dots = text.indexOf("..");
      return dots < 0
          ? new Countdown(Long.parseLong(text), Long.parseLong(text))
          : new Countdown(
              Long.parseLong(text.substring(0, dots)), Long.parseLong(text.substring(dots + 2)));
    }

    boolean fits(int times) {
      return times == 1 ? first == last : (last - first) % (times - 1) == 0;
    }

    long at(int repetition, int times) {
      return times == 1 ? first : first + (last - first) / (times - 1) * repetition;
    }
  }

  /** The values of the three header fields. */
  record Headers(long limit, Countdown remaining, long reset) {}
}
