package dev.weir;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DecisionListenerTest {
  private final ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T10:00:00Z"));

  @Test
  void listenersAreToldOfEveryDecisionOnce() {
    List<String> told = new ArrayList<>();
    DecisionListener first = (key, cost, decision) -> told.add(key + cost + decision.reason());
    DecisionListener second = (key, cost, decision) -> told.add("and second");
    RateLimiter limiter =
        RateLimiter.builder().time(time).limit("1/s").listener(first).listener(second).build();
    limiter.tryAcquire("alice");
    limiter.acquire("alice", 1);
    limiter.tryAcquire(2);
    limiter.peek("alice");
    limiter.refund("alice", 1);
    limiter.reset("alice");

    assertThat(told)
        .containsExactly(
            "alice1within_limits",
            "and second",
            "alice1limit_exceeded",
            "and second",
            "2cost_exceeds_limit",
            "and second");
  }

  private static Stream<Throwable> failures() {
    return Stream.of(new IllegalStateException("on purpose"), new AssertionError("on purpose"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whatAListenerThrowsIsLoggedAndDoesNotMatter(Throwable failure) {
    List<String> told = new ArrayList<>();
    RateLimiter limiter =
        RateLimiter.builder()
            .time(time)
            .limit("1/s")
            .listener(
                (key, cost, decision) -> {
                  if (failure instanceof Error error) {
                    throw error;
                  }
                  throw (RuntimeException) failure;
                })
            .listener((key, cost, decision) -> told.add(key))
            .build();
    List<LogRecord> logged =
        logOf(
            () -> {
              assertThat(limiter.tryAcquire("alice")).isTrue();
              assertThat(limiter.acquire("alice").allowed()).isFalse();
            });

    assertThat(told).containsExactly("alice", "alice");
    assertThat(logged)
        .hasSize(2)
        .allSatisfy(
            log -> {
              assertThat(log.getLevel()).isEqualTo(Level.WARNING);
              assertThat(log.getMessage())
                  .isEqualTo("a decision listener failed; the decision stands");
              assertThat(log.getThrown()).isSameAs(failure);
            });
  }

  /** What the limiter logs during the task, which then goes nowhere else. */
  private static List<LogRecord> logOf(Runnable task) {
    List<LogRecord> records = new ArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord log) {
            records.add(log);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(RateLimiter.class.getName());
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
    try {
      task.run();
    } finally {
      logger.removeHandler(handler);
      logger.setUseParentHandlers(true);
    }
    return records;
  }

  @Test
  void theLineMovesOnWhateverAListenerThrows() {
    RateLimiter limiter =
        RateLimiter.builder()
            .time(time)
            .limit("1/s")
            .listener(
                (key, cost, decision) -> {
                  throw new AssertionError("on purpose");
                })
            .build();
    List<LogRecord> logged =
        logOf(
            () -> {
              limiter.acquire("alice");
              var first = limiter.acquireAsync("alice", 1, Duration.ofSeconds(5));
              var second = limiter.acquireAsync("alice", 1, Duration.ofSeconds(5));
              time.advance(Duration.ofSeconds(1));
              assertThat(first).isCompleted();
              time.advance(Duration.ofSeconds(1));
              assertThat(second).isCompleted();
            });

    assertThat(logged).hasSize(3);
  }
}
