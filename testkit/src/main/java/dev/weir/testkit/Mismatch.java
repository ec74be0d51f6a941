package dev.weir.testkit;

import dev.weir.Decision;
import dev.weir.LimitStatus;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A history after whose last step a store did not answer what the oracle says.
 *
 * @param steps the history up to that step
 * @param expected the oracle's answer
 * @param actual the store's answer, or what it threw
 */
record Mismatch(List<Step> steps, Decision expected, Object actual) {

  /** The history and both answers, a line each. */
  String describe() {
    StringBuilder text = new StringBuilder();
    int number = 1;
    for (Step step : steps) {
      text.append("  %3d  %s%n".formatted(number++, step));
    }
    text.append("  oracle: %s%n".formatted(text(expected)));
    text.append("  store:  %s%n".formatted(actual instanceof Decision d ? text(d) : actual));
    return text.toString();
  }

  private static String text(Decision decision) {
    return "%s at %d, retry after %d us, decisive %d, %s"
        .formatted(
            decision.reason(),
            decision.atMicros(),
            decision.retryAfterMicros(),
            decision.decisive(),
            decision.limits().stream()
                .map(status -> text(status, decision.atMicros()))
                .collect(Collectors.joining("; ")));
  }

  private static String text(LimitStatus status, long atMicros) {
    return "%s [%s] remaining %d, reset in %d us"
        .formatted(
            status.name(), status.limit(), status.remaining(), status.resetMicros() - atMicros);
  }
}
