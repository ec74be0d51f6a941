package dev.weir.control.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.TimeSource;
import dev.weir.control.journal.JournalOptions;
import dev.weir.control.outbox.Decisions;
import dev.weir.control.outbox.Outbox;
import dev.weir.policy.config.AuditSettings;
import dev.weir.policy.config.EventType;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditObserverTest {
  private static final Instant START = Instant.parse("2026-11-16T10:00:00.5Z");

  @TempDir Path folder = Path.of("");

  private final ManualTime time = TimeSource.manual(START);
  private final Decisions decisions = new Decisions(time);

  private static AuditSettings keeping(EventType... types) {
    return new AuditSettings(Set.of(types), Duration.ofDays(90), "");
  }

  private Outbox outbox() {
    return Outbox.open(folder, JournalOptions.defaults());
  }

  private AuditObserver observer(Outbox outbox, AuditSettings settings) {
    return new AuditObserver(outbox, settings, time, "server-1", "eu");
  }

  @Test
  void keepsTheDecisionsThatSettingsSay() {
    try (Outbox outbox = outbox()) {
      AuditObserver observer = observer(outbox, keeping(EventType.THROTTLED, EventType.BLOCKED));
      for (int i = 0; i < 5; i++) {
        observer.decided(decisions.decide("alice", "/chat/1"), 1_000);
      }
      // Three were allowed.
      assertThat(outbox.waiting()).isEqualTo(2);
      observer.decided(decisions.decide("alice", "/closed/1"), 1_000);
      assertThat(outbox.waiting()).isEqualTo(3);
      observer.decided(decisions.decide("alice", "/open/1"), 1_000);
      assertThat(outbox.waiting()).isEqualTo(3);

      observer.use(keeping(EventType.ALLOWED));
      observer.decided(decisions.decide("alice", "/open/1"), 1_000);
      observer.decided(decisions.decide("alice", "/closed/1"), 1_000);
      assertThat(outbox.waiting()).isEqualTo(4);
      observer.use(keeping());
      observer.decided(decisions.decide("alice", "/open/1"), 1_000);
      assertThat(outbox.waiting()).isEqualTo(4);
    }
  }

  @Test
  void aRecordSaysWhatTheVerdictSays() {
    try (Outbox outbox = outbox()) {
      AuditObserver observer = observer(outbox, keeping());
      for (int i = 0; i < 3; i++) {
        decisions.decide("alice", "/chat/1");
      }
      AuditRecord refused = observer.record(decisions.decide("alice", "/chat/1"), 42_999);
      assertThat(refused)
          .hasToString(
              "audit record timestamp=1794823200500000 client=user:alice user_id=alice"
                  + " api_key_id=k1 ip_address=192.0.2.7 tier=free endpoint=chat path=/chat/1"
                  + " http_method=GET rule_name=endpoint:chat decision=throttled"
                  + " reason=limit_exceeded cost=1 current_count=3 limit_value=3"
                  + " window_reset=1794823260500000 response_status=429 retry_after_seconds=20"
                  + " degraded=false policy="
                  + refused.text(AuditColumn.POLICY)
                  + " region=eu server_id=server-1 latency_micros=42");
      assertThat(refused.timestamp()).isEqualTo(START);

      // No limit had a say, so the verdict does not know when.
      time.advance(Duration.ofSeconds(1));
      AuditRecord blocked = observer.record(decisions.decide("bob", "/closed/1"), -5);
      assertThat(blocked.timestamp()).isEqualTo(START.plusSeconds(1));
      assertThat(blocked.text(AuditColumn.DECISION)).isEqualTo("blocked");
      assertThat(blocked.text(AuditColumn.RULE_NAME)).isEqualTo("closed");
      assertThat(blocked.number(AuditColumn.RESPONSE_STATUS)).isEqualTo(403);
      assertThat(blocked.has(AuditColumn.LIMIT_VALUE)).isFalse();
      assertThat(blocked.has(AuditColumn.RETRY_AFTER_SECONDS)).isFalse();
      assertThat(blocked.number(AuditColumn.LATENCY_MICROS)).isZero();

      AuditRecord allowed = observer.record(decisions.decide("bob", "/chat/1"), 1);
      assertThat(allowed.text(AuditColumn.DECISION)).isEqualTo("allowed");
      assertThat(allowed.has(AuditColumn.RESPONSE_STATUS)).isFalse();
      assertThat(allowed.number(AuditColumn.CURRENT_COUNT)).isEqualTo(1);
    }
  }
}
