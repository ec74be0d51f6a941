package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.policy.DecisionHealth;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The status of a response and its text come from one reading of the state. */
class ReadinessTest {
  @ParameterizedTest
  @CsvSource({
    "READY, 200, ready",
    "DEGRADED, 200, degraded",
    "NOT_READY, 503, not ready",
    "STOPPING, 503, stopping",
  })
  void statusAndTextAgree(Readiness readiness, int status, String text) {
    assertThat(readiness.httpStatus()).isEqualTo(status);
    assertThat(readiness).hasToString(text);
  }

  @Test
  void aServiceThatStopsIsNeverReady() {
    for (DecisionHealth.State state : DecisionHealth.State.values()) {
      for (boolean canDecide : List.of(true, false)) {
        assertThat(Readiness.of(true, canDecide, state)).isEqualTo(Readiness.STOPPING);
      }
      assertThat(Readiness.of(false, false, state)).isEqualTo(Readiness.NOT_READY);
      assertThat(Readiness.of(false, true, state))
          .isEqualTo(state == DecisionHealth.State.GOOD ? Readiness.READY : Readiness.DEGRADED);
    }
  }
}
