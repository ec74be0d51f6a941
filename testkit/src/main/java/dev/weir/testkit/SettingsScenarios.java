package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.Operation;
import dev.weir.Period;
import dev.weir.SlidingLog;
import dev.weir.SlidingWindow;
import dev.weir.TokenBucket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Huge and tiny settings: exact by the oracle, or refused when the limit is built. */
abstract class SettingsScenarios extends StoreScenarios {

  private static final long START = EpochMicros.of(Instant.parse("2026-01-05T12:34:56.789012Z"));

  private static final List<Long> PERMITS =
      List.of(1L, 2L, 3L, 7L, 100L, 9_973L, 1_000_000L, 1_000_000_000L, 1_000_000_000_000L);

  private static final List<Period.Span> PERIODS =
      List.of(
          new Period.Span(1, Period.Unit.MILLISECOND),
          new Period.Span(7, Period.Unit.MILLISECOND),
          new Period.Span(1, Period.Unit.SECOND),
          new Period.Span(61, Period.Unit.SECOND),
          new Period.Span(1, Period.Unit.HOUR),
          new Period.Span(1, Period.Unit.DAY),
          new Period.Span(30, Period.Unit.DAY),
          new Period.Span(365, Period.Unit.DAY),
          new Period.Span(366, Period.Unit.DAY));

  private final HistoryCheck check;

  /**
   * The scenarios.
   *
   * @param keepsOrder see {@link CounterStoreContract#keepsOrder}
   */
  SettingsScenarios(Function<ManualTime, CounterStore> stores, boolean keepsOrder) {
    super(stores);
    this.check = new HistoryCheck(stores, keepsOrder);
  }

  @Test
  @DisplayName("is exact for every setting that can be built (T39)")
  void isExactForEverySettingThatCanBeBuilt() {
    List<Limit> limits = grid();
    assertThat(limits).hasSizeGreaterThan(500);
    for (Limit limit : limits) {
      check
          .play(new EdgeWalk(limit))
          .ifPresent(
              mismatch -> {
                throw new AssertionError("wrong for " + limit + ":\n" + mismatch.describe());
              });
    }
  }

  private static List<Limit> grid() {
    List<Limit> limits = new ArrayList<>();
    for (long permits : PERMITS) {
      for (Period.Span period : PERIODS) {
        addIfValid(limits, () -> new FixedWindow(permits, period, FixedWindow.Align.EPOCH));
        addIfValid(limits, () -> new FixedWindow(permits, period, FixedWindow.Align.FIRST_REQUEST));
        addIfValid(limits, () -> new SlidingWindow(permits, period));
        addIfValid(limits, () -> new SlidingLog(permits, period));
        for (long burst : List.of(1L, 40L, permits, 9_999_991L)) {
          addIfValid(limits, () -> new TokenBucket(permits, period, burst));
        }
      }
    }
    return limits;
  }

  private static void addIfValid(List<Limit> limits, Supplier<Limit> limit) {
    try {
      limits.add(limit.get());
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageMatching("(permits|burst).* must .*, got .*");
    }
  }

  /** Uses a limit up and asks at, and a microsecond before, each instant at which it says more. */
  private static final class EdgeWalk implements StepSource {
    private final Limit limit;
    private final List<Counter> counters;
    private int step;
    private long now = START;
    private long retryAfter;

    EdgeWalk(Limit limit) {
      this.limit = limit;
      this.counters = List.of(new Counter("limit", "client", limit));
    }

    @Override
    public Optional<Step> next(Optional<Decision> last) {
      last.filter(decision -> decision.retryAfterMicros() > 0)
          .ifPresent(decision -> retryAfter = decision.retryAfterMicros());
      long capacity = limit.capacity();
      return switch (step++) {
        case 0 -> acquire(0, 1);
        case 1 -> acquire(0, capacity);
        case 2 -> acquire(0, Math.max(1, capacity - 1));
        case 3 -> acquire(0, capacity + 1);
        case 4 -> acquire(0, capacity);
        case 5 -> acquire(retryAfter - 1, capacity);
        case 6 -> acquire(1, capacity);
        case 7 -> acquire(0, 1);
        case 8 -> acquire(retryAfter - 1, 1);
        case 9 -> acquire(1, 1);
        case 10 -> step(0, new Operation.Refund(counters, Math.max(1, capacity / 2)));
        case 11 -> acquire(0, 1);
        case 12 -> acquire(untilReset(last) - 1, capacity);
        case 13 -> acquire(1, capacity);
        case 14 -> acquire(-1, 1);
        default -> Optional.empty();
      };
    }

    private long untilReset(Optional<Decision> last) {
      long reset = last.map(decision -> decision.status().resetMicros()).orElse(now);
      return Math.max(1, reset - now);
    }

    private Optional<Step> acquire(long waitMicros, long cost) {
      return step(waitMicros, new Operation.Acquire(counters, cost));
    }

    private Optional<Step> step(long waitMicros, Operation operation) {
      now += waitMicros;
      return Optional.of(new Step(now, operation));
    }
  }
}
