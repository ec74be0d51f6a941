package dev.weir.backtest;

import dev.weir.policy.Cause;
import dev.weir.policy.Outcome;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Outcomes and reasons by the names that Weir's events and its archive have for them. */
final class Recorded {
  private static final Map<String, Outcome> OUTCOMES = new HashMap<>();
  private static final Map<String, Cause> CAUSES = new HashMap<>();

  static {
    for (Outcome each : Outcome.values()) {
      OUTCOMES.put(each.toString(), each);
    }
    for (Cause each : Cause.values()) {
      CAUSES.put(each.toString(), each);
    }
  }

  private Recorded() {}

  static Outcome outcome(String name) throws BadLine {
    Outcome outcome = OUTCOMES.get(name);
    if (outcome == null) {
      throw new BadLine(
          "decision must be allowed, throttled, blocked or backend_error, got \"%s\""
              .formatted(BadLine.shown(name)));
    }
    return outcome;
  }

  /** Null for reasons that this version of Weir does not know. */
  static @Nullable Cause cause(@Nullable String name) {
    return name == null ? null : CAUSES.get(name);
  }
}
