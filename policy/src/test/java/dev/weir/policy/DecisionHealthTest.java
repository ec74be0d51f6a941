package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.policy.DecisionHealth.Reach;
import dev.weir.policy.DecisionHealth.State;
import dev.weir.policy.DecisionHealth.StoreReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionHealthTest {
  private static final StoreReport FINE = StoreReport.good();

  /** The instance may not make writes of its own; the counters may work all the same. */
  private static final StoreReport FORBIDDING = new StoreReport(Reach.ALL, Reach.ALL, false);

  private static final StoreReport REFUSING = new StoreReport(Reach.ALL, Reach.NONE, false);

  private final AtomicLong nanos = new AtomicLong(-5);
  private final DecisionHealth health = new DecisionHealth(nanos::get);
  private final TimeSource time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final Verdict good = verdict(true);
  private final Verdict degraded = verdict(false);

  private Verdict verdict(boolean isGood) {
    TestStore store = new TestStore(new MemoryCounterStore(time, 100));
    store.state = isGood ? TestStore.State.WELL : TestStore.State.FAILS;
    Gate gate =
        new Gate(
            TestPolicy.of().defaultLimit("1000000/s").compile(),
            store,
            new ClientList(time),
            List.of());
    return gate.check(Request.of("GET", "/", Client.unknown().withUser("alice")));
  }

  private void decide(Verdict verdict, int times) {
    for (int i = 0; i < times; i++) {
      health.decided(verdict, 1);
    }
  }

  private void pass(Duration span) {
    nanos.addAndGet(span.toNanos());
  }

  @ParameterizedTest
  @CsvSource({"ALL, GOOD", "SOME, PARTIAL", "NONE, FAILED"})
  void withoutDecisionsItIsWhatTheStoreReports(Reach reach, State state) {
    assertThat(health.state(new StoreReport(reach, Reach.ALL, true))).isEqualTo(state);
    assertThat(health.state(new StoreReport(reach, Reach.ALL, false))).isEqualTo(state);
    assertThat(health.state(new StoreReport(Reach.ALL, reach, true))).isEqualTo(state);
  }

  @Test
  void aShareOfFailuresIsAPartialOutage() {
    assertThat(degraded.isDegraded()).isTrue();
    decide(good, 99);
    assertThat(health.state(FINE)).isEqualTo(State.GOOD);
    decide(degraded, 1);
    assertThat(health.state(FINE)).isEqualTo(State.PARTIAL);
  }

  @Test
  void onlyFailuresAreAnOutage() {
    decide(degraded, 3);
    assertThat(health.state(FINE)).isEqualTo(State.FAILED);
    decide(good, 1);
    assertThat(health.state(FINE)).isEqualTo(State.PARTIAL);
  }

  @Test
  void failuresAreForgottenAfterAFewSeconds() {
    decide(good, 1);
    decide(degraded, 1);
    pass(Duration.ofSeconds(3));
    decide(good, 1);
    assertThat(health.state(FINE)).isEqualTo(State.PARTIAL);
    pass(Duration.ofSeconds(2));
    decide(good, 1);
    assertThat(health.state(FINE)).isEqualTo(State.GOOD);
  }

  @Test
  void oneFailureIsNoOutage() {
    decide(degraded, 2);
    assertThat(health.state(FINE)).isEqualTo(State.PARTIAL);
    assertThat(health.state(REFUSING)).isEqualTo(State.FAILED);
    decide(degraded, 1);
    assertThat(health.state(FINE)).isEqualTo(State.FAILED);
  }

  @ParameterizedTest
  @DisplayName("T83: failures for clients of one dead server are a partial outage")
  @CsvSource({"SOME, ALL", "ALL, SOME"})
  void failuresOfOnePartAreAPartialOutage(Reach reach, Reach writes) {
    decide(degraded, 100);
    assertThat(health.state(new StoreReport(reach, writes, true))).isEqualTo(State.PARTIAL);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("T77: without traffic an outage lasts until a write is accepted")
  void withoutTrafficAnOutageLasts(boolean isForbidden) {
    StoreReport refusing = isForbidden ? FORBIDDING : REFUSING;
    decide(degraded, 3);
    assertThat(health.state(refusing)).isEqualTo(State.FAILED);
    pass(Duration.ofMinutes(5));
    assertThat(health.state(refusing)).isEqualTo(State.FAILED);
    assertThat(health.state(FINE)).isEqualTo(State.GOOD);
  }

  @Test
  @DisplayName("T77: an instance that was never asked sees that writes are refused")
  void refusedWritesAreAnOutageWithoutDecisions() {
    assertThat(health.state(REFUSING)).isEqualTo(State.FAILED);
    decide(good, 1);
    assertThat(health.state(REFUSING)).isEqualTo(State.PARTIAL);
  }

  @Test
  void aForbiddenWriteAloneIsNoOutage() {
    decide(good, 3);
    assertThat(health.state(FORBIDDING)).isEqualTo(State.GOOD);
    pass(Duration.ofMinutes(5));
    assertThat(health.state(FORBIDDING)).isEqualTo(State.GOOD);
  }
}
