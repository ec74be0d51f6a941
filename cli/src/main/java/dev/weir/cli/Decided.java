package dev.weir.cli;

import dev.weir.LimitStatus;
import dev.weir.policy.Cause;
import dev.weir.policy.Outcome;
import dev.weir.policy.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was decided on a request, here or by a server, as far as people are told.
 *
 * @param outcome whether it may pass, in a word
 * @param rule the rule that had the say; empty: none had
 * @param reason why, as answers have it
 * @param room how the decisive limit stands; null if no limit had a say
 * @param retryAfterSeconds when to come again; 0: waiting does not help, or is not needed
 * @param shadows the rules in shadow mode that would have refused it
 * @param isDegraded whether the counters could not be asked
 */
record Decided(
    String outcome,
    String rule,
    String reason,
    @Nullable Room room,
    long retryAfterSeconds,
    List<String> shadows,
    boolean isDegraded) {

  /** How a limit stands. */
  record Room(long remaining, long limit) {
    @Override
    public String toString() {
      return remaining + " of " + limit + " left";
    }
  }

  static Decided of(Verdict verdict) {
    LimitStatus status = verdict.decisive();
    String rule = verdict.rule();
    return new Decided(
        verdict.outcome().toString(),
        rule == null ? "" : rule,
        verdict.cause().toString(),
        status == null ? null : new Room(status.remaining(), status.limit().capacity()),
        verdict.retryAfterSeconds(),
        verdict.refusingShadows(),
        verdict.isDegraded());
  }

  /** Of what {@code /v1/check} or {@code /v1/explain} of a server has answered. */
  static Decided of(AdminAnswer answer) {
    Json.Members members = answer.object();
    String outcome = members.text("decision");
    if (outcome.isEmpty()) {
      throw answer.strange("a decision");
    }
    List<String> shadows = new ArrayList<>();
    for (Json shadow : members.items("shadow")) {
      if (shadow instanceof Json.Members one && !one.isTrue("allowed")) {
        shadows.add(PlainText.of(one.text("rule")));
      }
    }
    return new Decided(
        PlainText.of(outcome),
        PlainText.of(members.text("rule")),
        PlainText.of(members.text("reason")),
        members.text("limit").isEmpty()
            ? null
            : new Room(members.number("remaining"), members.number("limit")),
        members.number("retry_after"),
        shadows,
        members.isTrue("degraded"));
  }

  boolean isAllowed() {
    return outcome.equals(Outcome.ALLOWED.toString());
  }

  /** The reason; null if it is one that a newer server knows. */
  @Nullable Cause cause() {
    return Stream.of(Cause.values())
        .filter(cause -> cause.toString().equals(reason))
        .findFirst()
        .orElse(null);
  }
}
