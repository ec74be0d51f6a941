package dev.weir.policy;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LONG;

import dev.weir.CounterStore;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GateListenerTest {
  private static final Client ALICE = Client.at(Address.parse("10.1.2.3"), 64).withUser("alice");
  private static final Request REQUEST = Request.of("GET", "/", ALICE);
  private static final Logger LOGGER = Logger.getLogger(Gate.class.getName());

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));
  private final MemoryCounterStore store = new MemoryCounterStore(time, 1_000);
  private final List<Verdict> told = new ArrayList<>();
  private final List<String> logged = new ArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          logged.add(entry.getLevel() + " " + entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    LOGGER.removeHandler(handler);
    LOGGER.setUseParentHandlers(true);
  }

  private Gate gate(CounterStore counters, GateListener... listeners) {
    Policy policy = TestPolicy.of().defaultLimit("1/m").compile();
    return new Gate(policy, counters, new ClientList(time), List.of(listeners));
  }

  private void keep(Verdict verdict, long latencyNanos) {
    told.add(verdict);
  }

  private static final class Failing implements GateListener {
    @Override
    public void decided(Verdict verdict, long latencyNanos) {
      throw new IllegalStateException("the disk is full");
    }

    @Override
    public void failed(Request request, Throwable failure) {
      throw new IllegalStateException("the disk is full");
    }
  }

  @Test
  void isToldOfEveryVerdictOnce() {
    Gate gate = gate(store, this::keep, this::keep);
    Verdict first = gate.check(REQUEST);
    Verdict second = gate.check(REQUEST);

    assertThat(told).containsExactly(first, first, second, second);
  }

  @Test
  void isToldOnceOfVerdictsThatAreMadeWithoutHoldingAThread() {
    for (CounterStore counters : List.of(store, new TestStore(store))) {
      told.clear();
      CompletionStage<Verdict> verdict = gate(counters, this::keep).checkAsync(REQUEST);

      assertThat(verdict).isCompleted();
      assertThat(told).containsExactly(verdict.toCompletableFuture().join());
    }
  }

  @Test
  @DisplayName("T78: a decision is announced although the caller cancelled the stage it was given")
  void isNotifiedThoughTheCallerCancelled() {
    TestStore slow = new TestStore(store);
    slow.state = TestStore.State.SLOW;
    CompletionStage<Verdict> stage = gate(slow, this::keep).checkAsync(REQUEST);

    stage.toCompletableFuture().cancel(true);
    slow.answer();

    assertThat(told).extracting(Verdict::isAllowed).containsExactly(true);
  }

  @Test
  void isToldTheLatency() {
    List<Long> latencies = new ArrayList<>();
    Gate gate = gate(store, (verdict, latencyNanos) -> latencies.add(latencyNanos));
    gate.check(REQUEST);

    assertThat(latencies).singleElement(as(LONG)).isNotNegative();
  }

  @Test
  void aListenerThatFailsHarmsNobody() {
    Gate gate = gate(store, new Failing(), this::keep);

    assertThat(gate.check(REQUEST).isAllowed()).isTrue();
    assertThat(gate.check(REQUEST).isAllowed()).isFalse();
    assertThat(told).hasSize(2);
    assertThat(logged)
        .containsExactly(
            "WARNING a gate listener failed; the verdict stands",
            "WARNING a gate listener failed; the verdict stands");
  }

  @Test
  void aListenerThatFailsHarmsNobodyWhenTheStoreFailsToo() {
    TestStore away = new TestStore(store);
    away.state = TestStore.State.FAILS;
    Gate gate = gate(away, new Failing(), this::keep);

    assertThat(gate.check(REQUEST).isAllowed()).isTrue();
    assertThat(told).hasSize(1);
    assertThat(logged)
        .containsExactly(
            "WARNING counters could not be reached (java.lang.IllegalStateException: no"
                + " connection); decided in failure_mode local",
            "WARNING a gate listener failed; the verdict stands",
            "WARNING a gate listener failed; the verdict stands");
  }

  @Test
  void aListenerMayAskTheGate() {
    List<Gate> gates = new ArrayList<>();
    GateListener asking =
        (verdict, latencyNanos) -> {
          if (verdict.request().path().equals("/")) {
            gates.get(0).check(Request.of("GET", "/asked", ALICE.withUser("bob")));
          }
          told.add(verdict);
        };
    gates.add(gate(store, asking));
    Verdict verdict = gates.get(0).check(REQUEST);

    assertThat(verdict).hasToString("allowed user:alice (within_limits, default)");
    assertThat(told).extracting(entry -> entry.request().path()).containsExactly("/asked", "/");
  }

  @Test
  void aGateWithoutListenersOrBlocks() {
    Gate gate = new Gate(TestPolicy.of().compile(), store);

    assertThat(gate.check(REQUEST).isAllowed()).isTrue();
    assertThat(gate.blocks().entries()).isEmpty();
  }
}
