package dev.weir.control.audit;

import dev.weir.LimitStatus;
import dev.weir.TimeSource;
import dev.weir.control.outbox.Outbox;
import dev.weir.policy.Address;
import dev.weir.policy.Cause;
import dev.weir.policy.Client;
import dev.weir.policy.GateListener;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.AuditSettings;
import dev.weir.policy.config.EventType;
import java.util.Set;

/**
 * Puts decisions into the outbox, those that are to be kept. Thread-safe, and waits for nothing.
 */
public final class AuditObserver implements GateListener {
  private final Outbox outbox;
  private final TimeSource time;
  private final String serverId;
  private final String region;

  private volatile Set<EventType> kept;

  /**
   * An observer.
   *
   * @param settings which decisions are kept, until others are given
   * @param time for decisions that do not say when they were made
   */
  public AuditObserver(
      Outbox outbox, AuditSettings settings, TimeSource time, String serverId, String region) {
    this.outbox = outbox;
    this.time = time;
    this.serverId = serverId;
    this.region = region;
    this.kept = settings.decisions();
  }

  /** Keeps what these settings say from now on. */
  public void use(AuditSettings settings) {
    kept = settings.decisions();
  }

  @Override
  public void decided(Verdict verdict, long latencyNanos) {
    if (isKept(verdict, kept)) {
      outbox.put(AuditSink.KIND, AuditCodec.encode(record(verdict, latencyNanos)));
    }
  }

  private static boolean isKept(Verdict verdict, Set<EventType> kept) {
    EventType type =
        switch (verdict.outcome()) {
          case ALLOWED -> EventType.ALLOWED;
          case THROTTLED -> EventType.THROTTLED;
          case BLOCKED -> EventType.BLOCKED;
        };
    return kept.contains(type)
        || (verdict.cause() == Cause.BACKEND_ERROR && kept.contains(EventType.BACKEND_ERROR));
  }

  AuditRecord record(Verdict verdict, long latencyNanos) {
    Request request = verdict.request();
    Client client = request.client();
    Address address = client.address();
    long atMicros = verdict.atMicros();
    AuditRecord.Builder builder =
        new AuditRecord.Builder()
            .put(AuditColumn.TIMESTAMP, atMicros > 0 ? atMicros : time.nowMicros())
            .put(AuditColumn.CLIENT, client.id())
            .put(AuditColumn.USER_ID, client.user())
            .put(AuditColumn.API_KEY_ID, client.key())
            .put(AuditColumn.IP_ADDRESS, address == null ? null : address.toString())
            .put(AuditColumn.TIER, verdict.tier())
            .put(AuditColumn.ENDPOINT, verdict.endpoint())
            .put(AuditColumn.PATH, request.path())
            .put(AuditColumn.HTTP_METHOD, request.method())
            .put(AuditColumn.COST, request.cost())
            .put(AuditColumn.RULE_NAME, verdict.rule())
            .put(AuditColumn.DECISION, verdict.outcome().toString())
            .put(AuditColumn.REASON, verdict.cause().toString())
            .put(AuditColumn.DEGRADED, verdict.isDegraded())
            .put(AuditColumn.POLICY, verdict.policy())
            .put(AuditColumn.REGION, region)
            .put(AuditColumn.SERVER_ID, serverId)
            .put(AuditColumn.LATENCY_MICROS, Math.max(0, latencyNanos) / 1_000);
    LimitStatus status = verdict.decisive();
    if (status != null) {
      long capacity = status.limit().capacity();
      builder
          .put(AuditColumn.CURRENT_COUNT, Math.max(0, capacity - status.remaining()))
          .put(AuditColumn.LIMIT_VALUE, capacity)
          .put(AuditColumn.WINDOW_RESET, Math.max(0, status.resetMicros()));
    }
    if (!verdict.isAllowed()) {
      builder.put(AuditColumn.RESPONSE_STATUS, verdict.status());
      if (verdict.retryAfterSeconds() > 0) {
        builder.put(AuditColumn.RETRY_AFTER_SECONDS, verdict.retryAfterSeconds());
      }
    }
    return builder.build();
  }
}
