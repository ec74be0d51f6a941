package dev.weir.policy.event;

import dev.weir.LimitStatus;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.JsonText;
import dev.weir.policy.Verdict;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One event as one line of JSON. What is not known is left out. */
final class EventLine {
  private static final long SECOND_MICROS = 1_000_000;

  private final String serverId;
  private final String region;

  EventLine(String serverId, String region) {
    this.serverId = serverId;
    this.region = region;
  }

  String of(EventLog.Event event) {
    Client client = event.request().client();
    Verdict verdict = event.verdict();
    JsonText line =
        new JsonText()
            .put("timestamp", instant(event.atMicros()))
            .put("event_type", event.type().toString());
    putIfKnown(line, "endpoint", verdict == null ? null : verdict.endpoint());
    line.put("path", event.request().path()).put("method", event.request().method());
    putIfKnown(line, "user_id", client.user());
    putIfKnown(line, "api_key_id", client.key());
    putIfKnown(line, "tier", client.tier());
    if (event.request().cost() != 1) {
      line.put("cost", event.request().cost());
    }
    Address address = client.address();
    putIfKnown(line, "ip_address", address == null ? null : address.toString());
    line.put("client", client.id());
    if (verdict != null) {
      putVerdict(line, verdict);
    }
    Throwable failure = event.failure();
    if (failure != null) {
      String message = failure.getMessage();
      line.put("reason", message == null ? failure.getClass().getSimpleName() : message);
    }
    return line.put("server_id", serverId).put("region", region).toString();
  }

  private static void putVerdict(JsonText line, Verdict verdict) {
    putIfKnown(line, "rule", verdict.rule());
    LimitStatus status = verdict.decisive();
    if (status != null) {
      line.put("request_count", status.limit().capacity() - status.remaining())
          .put("limit", status.limit().capacity())
          .put("window_reset", -Math.floorDiv(-status.resetMicros(), SECOND_MICROS));
    }
    line.put("reason", verdict.cause().toString());
    List<String> refusing = verdict.refusingShadows();
    if (!refusing.isEmpty()) {
      line.put("shadow", refusing);
    }
    line.put("policy", verdict.policy());
  }

  private static void putIfKnown(JsonText line, String name, @Nullable String value) {
    if (value != null) {
      line.put(name, value);
    }
  }

  private static String instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).toString();
  }
}
