package dev.weir.testkit;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitStatus;
import dev.weir.ManualTime;
import dev.weir.Operation;
import dev.weir.Reason;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A store under test and its clock, with short ways to ask one counter and to say what is due. */
final class Subject {

  private static final String NAME = "limit";
  private static final String KEY = "client";

  private final CounterStore store;
  private final ManualTime time;

  Subject(CounterStore store, ManualTime time) {
    this.store = store;
    this.time = time;
  }

  Decision apply(Operation operation) {
    return ask(operation).join();
  }

  /** The same without waiting. */
  CompletableFuture<Decision> ask(Operation operation) {
    return store.apply(operation).toCompletableFuture();
  }

  Decision acquire(Limit limit, long cost) {
    return apply(new Operation.Acquire(counters(limit), cost));
  }

  Decision peek(Limit limit, long cost) {
    return apply(new Operation.Peek(counters(limit), cost));
  }

  Decision refund(Limit limit, long cost) {
    return apply(new Operation.Refund(counters(limit), cost));
  }

  Decision reset(Limit limit) {
    return apply(new Operation.Reset(counters(limit)));
  }

  /** How many of so many requests at this instant pass. */
  int passing(Limit limit, int requests) {
    int passed = 0;
    for (int i = 0; i < requests; i++) {
      passed += acquire(limit, 1).allowed() ? 1 : 0;
    }
    return passed;
  }

  void advance(Duration step) {
    time.advance(step);
  }

  void advanceMicros(long micros) {
    time.advance(Duration.of(micros, ChronoUnit.MICROS));
  }

  long nowMicros() {
    return time.nowMicros();
  }

  /** The answer to a request that passes. */
  Decision allowed(Limit limit, long remaining, Duration resetIn) {
    return decision(Reason.WITHIN_LIMITS, limit, remaining, resetIn, Duration.ZERO);
  }

  /** The answer to a request over the limit. */
  Decision refused(Limit limit, long remaining, Duration resetIn, Duration retryAfter) {
    return decision(Reason.LIMIT_EXCEEDED, limit, remaining, resetIn, retryAfter);
  }

  Decision decision(
      Reason reason, Limit limit, long remaining, Duration resetIn, Duration retryAfter) {
    long resetMicros = nowMicros() + micros(resetIn);
    return new Decision(
        reason,
        nowMicros(),
        micros(retryAfter),
        0,
        List.of(new LimitStatus(NAME, limit, remaining, resetMicros)));
  }

  static Duration ofMicros(long micros) {
    return Duration.of(micros, ChronoUnit.MICROS);
  }

  private static long micros(Duration duration) {
    return duration.dividedBy(Duration.of(1, ChronoUnit.MICROS));
  }

  private static List<Counter> counters(Limit limit) {
    return List.of(new Counter(NAME, KEY, limit));
  }
}
