package dev.weir.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.DirectCounterStore;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.LimitStatus;
import dev.weir.ManualTime;
import dev.weir.Operation;
import dev.weir.Reason;
import dev.weir.TokenBucket;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stores with one small mistake each: random histories must find it and tell it in a few steps. */
class CounterStoreContractCatchesMistakesTest {
  private static final Instant LAST = Instant.parse("2400-01-01T00:00:00Z");

  private static final Pattern STEPS = Pattern.compile("(\\d+) of its \\d+ steps are enough");

  /** A store that is right but for one thing. */
  private enum Mistake {
    REMAINING_OFF_BY_ONE(HistoryKind.FIXED_WINDOW) {
      @Override
      Decision apply(Oracle oracle, Operation operation, ManualTime time) {
        return withStatuses(
            oracle.apply(operation, time.nowMicros()),
            s -> new LimitStatus(s.name(), s.limit(), s.remaining() + 1, s.resetMicros()));
      }
    },
    RESET_ROUNDED_DOWN_TO_MILLISECONDS(HistoryKind.TOKEN_BUCKET) {
      @Override
      Decision apply(Oracle oracle, Operation operation, ManualTime time) {
        return withStatuses(
            oracle.apply(operation, time.nowMicros()),
            s ->
                new LimitStatus(
                    s.name(), s.limit(), s.remaining(), s.resetMicros() / 1_000 * 1_000));
      }
    },
    RETRY_AFTER_A_MICROSECOND_SHORT(HistoryKind.SLIDING_WINDOW) {
      @Override
      Decision apply(Oracle oracle, Operation operation, ManualTime time) {
        Decision right = oracle.apply(operation, time.nowMicros());
        return new Decision(
            right.reason(),
            right.atMicros(),
            Math.max(0, right.retryAfterMicros() - 1),
            right.decisive(),
            right.limits());
      }
    },
    CHARGES_THE_FIRST_LIMIT_OF_A_REFUSED_REQUEST(HistoryKind.MIXED) {
      @Override
      Decision apply(Oracle oracle, Operation operation, ManualTime time) {
        Decision right = oracle.apply(operation, time.nowMicros());
        if (operation instanceof Operation.Acquire acquire && !right.allowed()) {
          List<Counter> first = acquire.counters().subList(0, 1);
          oracle.apply(new Operation.Acquire(first, acquire.cost()), time.nowMicros());
        }
        return right;
      }
    },
    REFUNDS_TWICE(HistoryKind.SLIDING_LOG) {
      @Override
      Decision apply(Oracle oracle, Operation operation, ManualTime time) {
        if (operation instanceof Operation.Refund) {
          oracle.apply(operation, time.nowMicros());
        }
        return oracle.apply(operation, time.nowMicros());
      }
    },
    IGNORES_RESET(HistoryKind.SLIDING_WINDOW) {
      @Override
      Decision apply(Oracle oracle, Operation operation, ManualTime time) {
        return operation instanceof Operation.Reset reset
            ? oracle.apply(new Operation.Peek(reset.counters(), 0), time.nowMicros())
            : oracle.apply(operation, time.nowMicros());
      }
    },
    PEEK_SETTLES(HistoryKind.FIXED_WINDOW) {
      @Override
      Decision apply(Oracle oracle, Operation operation, ManualTime time) {
        if (operation instanceof Operation.Peek peek) {
          // A cost above every capacity is refused and writes nothing but settled states.
          Operation refused = new Operation.Acquire(peek.counters(), Long.MAX_VALUE);
          oracle.apply(refused, time.nowMicros());
        }
        return oracle.apply(operation, time.nowMicros());
      }
    },
    PENALTIES_ARE_NOT_LOOKED_AT(HistoryKind.MIXED) {
      @Override
      Decision apply(Oracle oracle, Operation operation, ManualTime time) {
        return operation instanceof Operation.Acquire acquire
            ? oracle.apply(
                new Operation.Acquire(acquire.counters(), acquire.cost()), time.nowMicros())
            : oracle.apply(operation, time.nowMicros());
      }
    },
    THROWS_ON_HUGE_COSTS(HistoryKind.TOKEN_BUCKET) {
      @Override
      Decision apply(Oracle oracle, Operation operation, ManualTime time) {
        if (operation instanceof Operation.Acquire acquire) {
          long product = Math.multiplyExact(acquire.cost(), 1_000_000L);
          assertThat(product).isNotNegative();
        }
        return oracle.apply(operation, time.nowMicros());
      }
    };

    final HistoryKind kind;

    Mistake(HistoryKind kind) {
      this.kind = kind;
    }

    abstract Decision apply(Oracle oracle, Operation operation, ManualTime time);
  }

  private static Decision withStatuses(Decision decision, UnaryOperator<LimitStatus> change) {
    return new Decision(
        decision.reason(),
        decision.atMicros(),
        decision.retryAfterMicros(),
        decision.decisive(),
        decision.limits().stream().map(change).toList());
  }

  /** A store that applies operations as {@code apply} says. */
  private record WrongStore(Oracle oracle, ManualTime time, Mistake mistake)
      implements DirectCounterStore {
    @Override
    public Decision applyNow(Operation operation) {
      return mistake.apply(oracle, operation, time);
    }

    @Override
    public void close() {}
  }

  @ParameterizedTest
  @EnumSource
  void findsTheMistakeAndShortensItsHistory(Mistake mistake) {
    RandomHistories histories =
        new RandomHistories(time -> new WrongStore(new Oracle(), time, mistake), LAST, false);
    AssertionError error =
        catchThrowableOfType(
            AssertionError.class, () -> histories.compare(mistake.kind, Seed.first(), 100_000));
    assertThat(error).as("%s goes unseen", mistake).isNotNull();
    assertThat(error).hasMessageContainingAll("-Dweir.seed=", "oracle: ", "store:  ");
    Matcher steps = STEPS.matcher(String.valueOf(error.getMessage()));
    assertThat(steps.find()).isTrue();
    assertThat(Integer.parseInt(steps.group(1))).as(error.getMessage()).isLessThanOrEqualTo(12);
  }

  @Test
  void findsAStoreThatForgetsWhenALimitChanges() {
    assertFound(HistoryKind.SLIDING_LOG, ForgetsOnChange::new);
  }

  @Test
  void findsABucketThatCountsInFloatingPoint() {
    assertFound(HistoryKind.TOKEN_BUCKET, FloatingBuckets::new);
  }

  @Test
  void findsAStoreThatRefundsAboveTheCapacity() {
    assertFound(HistoryKind.TOKEN_BUCKET, RefundsAboveCapacity::new);
  }

  @Test
  void findsAStoreWhoseClockNeverGoesBack() {
    assertFound(HistoryKind.FIXED_WINDOW, NeverGoesBack::new);
  }

  private static void assertFound(
      HistoryKind kind, Function<ManualTime, DirectCounterStore> stores) {
    for (boolean keepsOrder : new boolean[] {false, true}) {
      RandomHistories histories = new RandomHistories(stores::apply, LAST, keepsOrder);
      AssertionError error =
          catchThrowableOfType(
              AssertionError.class, () -> histories.compare(kind, Seed.first(), 100_000));
      assertThat(error).isNotNull();
      assertThat(error).hasMessageContaining("-Dweir.seed=");
    }
  }

  /** Forgets what was used whenever a counter comes with another limit than before. */
  private static final class ForgetsOnChange implements DirectCounterStore {
    private final Oracle oracle = new Oracle();
    private final Map<List<String>, Limit> limits = new HashMap<>();
    private final ManualTime time;

    ForgetsOnChange(ManualTime time) {
      this.time = time;
    }

    @Override
    public Decision applyNow(Operation operation) {
      for (Counter counter : operation.counters()) {
        Limit before = limits.put(List.of(counter.name(), counter.key()), counter.limit());
        if (before != null && !before.equals(counter.limit())) {
          oracle.apply(new Operation.Reset(List.of(counter)), time.nowMicros());
        }
      }
      return oracle.apply(operation, time.nowMicros());
    }

    @Override
    public void close() {}
  }

  /** Keeps a refund of more than was used for the next request that is over the limit. */
  private static final class RefundsAboveCapacity implements DirectCounterStore {
    private final OracleCounterStore right;
    private long credit;

    RefundsAboveCapacity(ManualTime time) {
      right = new OracleCounterStore(time);
    }

    @Override
    public Decision applyNow(Operation operation) {
      Decision decision = right.applyNow(operation);
      if (operation instanceof Operation.Refund && decision.remaining() == decision.limit()) {
        credit = 1;
      }
      if (decision.reason() != Reason.LIMIT_EXCEEDED || credit == 0) {
        return decision;
      }
      credit = 0;
      return new Decision(
          Reason.WITHIN_LIMITS, decision.atMicros(), 0, decision.decisive(), decision.limits());
    }

    @Override
    public void close() {}
  }

  /** Goes on with the latest time it has seen when the clock steps back. */
  private static final class NeverGoesBack implements DirectCounterStore {
    private final Oracle oracle = new Oracle();
    private final ManualTime time;
    private long latest;

    NeverGoesBack(ManualTime time) {
      this.time = time;
    }

    @Override
    public Decision applyNow(Operation operation) {
      latest = Math.max(latest, time.nowMicros());
      Decision decision = oracle.apply(operation, latest);
      return new Decision(
          decision.reason(),
          time.nowMicros(),
          decision.retryAfterMicros(),
          decision.decisive(),
          decision.limits());
    }

    @Override
    public void close() {}
  }

  /** Right, but for what remains of a bucket, which it works out in doubles as many limiters do. */
  private static final class FloatingBuckets implements DirectCounterStore {
    private final OracleCounterStore right;

    FloatingBuckets(ManualTime time) {
      right = new OracleCounterStore(time);
    }

    @Override
    public Decision applyNow(Operation operation) {
      Decision decision = right.applyNow(operation);
      return withStatuses(decision, status -> rounded(status, decision.atMicros()));
    }

    private static LimitStatus rounded(LimitStatus status, long now) {
      TokenBucket bucket = (TokenBucket) status.limit();
      double permitsPerMicro = (double) bucket.permits() / bucket.period().micros();
      double used = (status.resetMicros() - now) * permitsPerMicro;
      long remaining = Math.max(0, (long) (bucket.burst() - used));
      return new LimitStatus(status.name(), bucket, remaining, status.resetMicros());
    }

    @Override
    public void close() {}
  }

  @Test
  void shortensAHistoryToWhatIsNeeded() {
    // Wrong from the third charge on, whatever comes between.
    HistoryCheck check = new HistoryCheck(WrongFromTheThirdCharge::new, false);
    FixedWindow limit = Limit.fixedWindow(100, Duration.ofDays(1));
    List<Counter> counters = List.of(new Counter("a", "k", limit));
    Step charge = new Step(5, new Operation.Acquire(counters, 1));
    Step peek = new Step(5, new Operation.Peek(counters, 1));
    Step[] steps = new Step[200];
    Arrays.fill(steps, peek);
    steps[17] = charge;
    steps[60] = charge;
    steps[150] = charge;
    Mismatch found = check.play(StepSource.of(List.of(steps))).orElseThrow();
    assertThat(found.steps()).hasSize(151);
    assertThat(new Shrinker(check).shrink(found).steps()).containsExactly(charge, charge, charge);
  }

  private static final class WrongFromTheThirdCharge implements DirectCounterStore {
    private final OracleCounterStore right;
    private int charges;

    WrongFromTheThirdCharge(ManualTime time) {
      right = new OracleCounterStore(time);
    }

    @Override
    public Decision applyNow(Operation operation) {
      Decision decision = right.applyNow(operation);
      charges += operation instanceof Operation.Acquire ? 1 : 0;
      return charges < 3
          ? decision
          : withStatuses(decision, s -> new LimitStatus(s.name(), s.limit(), 0, 0));
    }

    @Override
    public void close() {}
  }
}
