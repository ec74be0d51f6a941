package dev.weir.testkit;

import dev.weir.CounterStore;
import dev.weir.ManualTime;
import java.time.Instant;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What every counter store must do, as a JUnit suite: extend it, say how to make a store, run it.
 *
 * <p>Fixed scenarios hold numbers worked out by hand; the ids in their names are those of the list
 * of threats. Random histories are compared call by call with the {@link Oracle}; a failure prints
 * the seed and a shortened history. System properties:
 *
 * <ul>
 *   <li>{@code weir.seed}: the seed of the first random history; fresh in each run unless given
 *   <li>{@code weir.history.operations}: random operations per kind of history; by default 50,000,
 *       and 100,000,000 at the long {@linkplain TestLevel level}
 * </ul>
 */
public abstract class CounterStoreContract {

  /**
   * An empty store that lives by that clock and has room for at least 10,000 counters. Called some
   * ten thousand times in a run, so it should be quick; each store is closed after use. Called by
   * several threads if JUnit may run tests in parallel.
   */
  public abstract CounterStore createStore(ManualTime time);

  /**
   * The last instant that stores can count at, until which no test lets its clock run; the year
   * 2400 unless a store ends before it, in which case it is at least the year 2100.
   */
  protected Instant lastInstant() {
    return Instant.parse("2400-01-01T00:00:00Z");
  }

  /**
   * Whether a store applies operations in the order in which one thread asks for them, each by the
   * clock as it was then, also if it has not answered those before, at least while the limits of
   * the counter stay as they are. Random histories then wait less; unless a store says so they wait
   * for every answer.
   */
  protected boolean keepsOrder() {
    return false;
  }

  /** How many random operations to play per kind of history. */
  protected long historyOperations() {
    return TestLevel.amount("weir.history.operations", 50_000L, 5_000_000L);
  }

  /** How many refusals to wait for, to the microsecond. */
  protected long retryAfterCases() {
    return historyOperations() / 10;
  }

  /** How many keys 64 threads ask for at once, at least 64. */
  protected int contendedKeys() {
    return TestLevel.isLong() ? 1_000 : 200;
  }

  /** If JUnit may run tests in parallel, those of several kinds run at the same time. */
  @ParameterizedTest
  @EnumSource
  @Execution(ExecutionMode.CONCURRENT)
  void answersRandomHistoriesLikeTheOracle(HistoryKind kind) {
    new RandomHistories(this::createStore, lastInstant(), keepsOrder())
        .compare(kind, Seed.first(), historyOperations());
  }

  @Nested
  class TokenBuckets extends TokenBucketScenarios {
    TokenBuckets() {
      super(CounterStoreContract.this::createStore);
    }
  }

  @Nested
  class FixedWindows extends FixedWindowScenarios {
    FixedWindows() {
      super(CounterStoreContract.this::createStore);
    }
  }

  @Nested
  class CalendarWindows extends CalendarScenarios {
    CalendarWindows() {
      super(CounterStoreContract.this::createStore);
    }
  }

  @Nested
  class SlidingWindowsAndLogs extends SlidingScenarios {
    SlidingWindowsAndLogs() {
      super(CounterStoreContract.this::createStore);
    }
  }

  @Nested
  class SeveralLimits extends SeveralLimitsScenarios {
    SeveralLimits() {
      super(CounterStoreContract.this::createStore);
    }
  }

  @Nested
  class LimitChanges extends LimitChangeScenarios {
    LimitChanges() {
      super(CounterStoreContract.this::createStore);
    }
  }

  @Nested
  class Refunds extends RefundScenarios {
    Refunds() {
      super(CounterStoreContract.this::createStore);
    }
  }

  @Nested
  class Clocks extends ClockScenarios {
    Clocks() {
      super(CounterStoreContract.this::createStore, lastInstant());
    }
  }

  @Nested
  class Penalties extends PenaltyScenarios {
    Penalties() {
      super(CounterStoreContract.this::createStore);
    }
  }

  @Nested
  class RetryAfter extends RetryAfterScenarios {
    RetryAfter() {
      super(CounterStoreContract.this::createStore, retryAfterCases());
    }
  }

  @Nested
  class Settings extends SettingsScenarios {
    Settings() {
      super(CounterStoreContract.this::createStore, keepsOrder());
    }
  }

  @Nested
  class ManyThreads extends ThreadScenarios {
    ManyThreads() {
      super(CounterStoreContract.this::createStore, contendedKeys());
    }
  }
}
