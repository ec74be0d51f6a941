package dev.weir.policy;

import dev.weir.Decision;
import dev.weir.LimitStatus;
import dev.weir.Reason;
import java.util.ArrayList;
import java.util.List;

/**
 * What a client has used.
 *
 * @param client who
 * @param used how those counters stand of which something is used; the name of each is that of its
 *     rule, where the rule counts endpoints one by one with {@code /} and the endpoint behind it
 * @param penaltySeconds how long a penalty still runs; 0 if none does
 */
public record Usage(String client, List<LimitStatus> used, long penaltySeconds) {
  public Usage {
    used = List.copyOf(used);
  }

  static Usage none(Client client) {
    return new Usage(client.id(), List.of(), 0);
  }

  Usage plus(Decision peeked) {
    List<LimitStatus> more = new ArrayList<>(used);
    for (LimitStatus status : peeked.limits()) {
      if (status.remaining() < status.limit().capacity()) {
        more.add(status);
      }
    }
    boolean isPenalty = peeked.reason() == Reason.PENALTY;
    long seconds = isPenalty ? -Math.floorDiv(-peeked.retryAfterMicros(), 1_000_000L) : 0;
    return new Usage(client, more, Math.max(penaltySeconds, seconds));
  }
}
