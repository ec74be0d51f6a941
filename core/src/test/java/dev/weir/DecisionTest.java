package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DecisionTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00.000007Z");
  private static final List<LimitStatus> STATUSES =
      List.of(
          new LimitStatus("api", Limit.parse("10/s burst 20"), 7, Micros.of(NOW) + 3),
          new LimitStatus("api#2", Limit.perHour(100), 2, Micros.of(NOW) + 9));

  private static Decision decision(Reason reason, long retryAfterMicros, int decisive) {
    return new Decision(reason, Micros.of(NOW), retryAfterMicros, decisive, STATUSES);
  }

  @Test
  void onlyWithinLimitsIsAllowed() {
    assertThat(decision(Reason.WITHIN_LIMITS, 0, 0).allowed()).isTrue();
    assertThat(decision(Reason.LIMIT_EXCEEDED, 1, 0).allowed()).isFalse();
    assertThat(decision(Reason.COST_EXCEEDS_LIMIT, 0, 0).allowed()).isFalse();
    assertThat(decision(Reason.PENALTY, 1, 0).allowed()).isFalse();
  }

  @Test
  void onlyTooLargeACostIsNotRetryable() {
    assertThat(decision(Reason.WITHIN_LIMITS, 0, 0).retryable()).isTrue();
    assertThat(decision(Reason.LIMIT_EXCEEDED, 1, 0).retryable()).isTrue();
    assertThat(decision(Reason.COST_EXCEEDS_LIMIT, 0, 0).retryable()).isFalse();
    assertThat(decision(Reason.PENALTY, 1, 0).retryable()).isTrue();
  }

  @Test
  void speaksOfTheDecisiveLimit() {
    Decision first = decision(Reason.WITHIN_LIMITS, 0, 0);
    Decision second = decision(Reason.WITHIN_LIMITS, 0, 1);

    assertThat(first.status()).isEqualTo(STATUSES.get(0));
    assertThat(first.limit()).isEqualTo(20);
    assertThat(first.remaining()).isEqualTo(7);
    assertThat(first.resetAt()).isEqualTo("2026-03-01T10:00:00.000010Z");
    assertThat(second.status()).isEqualTo(STATUSES.get(1));
    assertThat(second.limit()).isEqualTo(100);
    assertThat(second.remaining()).isEqualTo(2);
    assertThat(second.resetAt()).isEqualTo("2026-03-01T10:00:00.000016Z");
  }

  @Test
  void showsTimesInTheTypesOfThePublicApi() {
    Decision refused = decision(Reason.LIMIT_EXCEEDED, 1_500_001, 0);

    assertThat(refused.at()).isEqualTo(NOW);
    assertThat(refused.retryAfter()).isEqualTo(Duration.ofNanos(1_500_001_000));
    assertThat(decision(Reason.WITHIN_LIMITS, 0, 0).retryAfter()).isZero();
  }

  @Test
  void aPeekThatPassesBecomesARefusalForOthers() {
    Decision refused = decision(Reason.WITHIN_LIMITS, 0, 1).refusedForOthers();

    assertThat(refused).isEqualTo(decision(Reason.LIMIT_EXCEEDED, 1, 1));
  }

  @Test
  void aPeekThatIsRefusedStaysRefusedForOthers() {
    Decision exceeded = decision(Reason.LIMIT_EXCEEDED, 42, 0);
    Decision penalised = decision(Reason.PENALTY, 43, 0);
    Decision tooLarge = decision(Reason.COST_EXCEEDS_LIMIT, 0, 1);

    assertThat(exceeded.refusedForOthers()).isEqualTo(exceeded);
    assertThat(penalised.refusedForOthers()).isEqualTo(penalised);
    assertThat(tooLarge.refusedForOthers()).isEqualTo(tooLarge);
  }
}
