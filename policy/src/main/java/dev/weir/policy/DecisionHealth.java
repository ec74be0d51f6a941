package dev.weir.policy;

import java.time.Duration;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether counters can be used, judged by the decisions of the last seconds: a store may respond to
 * pings and refuse every write, and one that is away in part still serves the other part.
 * Thread-safe.
 */
public final class DecisionHealth implements GateListener {
  private static final long PERIOD_NANOS = Duration.ofSeconds(2).toNanos();

  /** Fewer failures than this can be chance, such as one slow response. */
  private static final int MIN_DECISIONS = 3;

  private final LongSupplier nanoClock;
  private volatile Period current;

  /** Whether all decisions failed when there were some the last time. */
  private volatile boolean hasFailed;

  /** By the clock of this machine. */
  public DecisionHealth() {
    this(System::nanoTime);
  }

  DecisionHealth(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.current = new Period(nanoClock.getAsLong(), null);
  }

  /** How much of a store can be reached. */
  public enum Reach {
    /** All of it. */
    ALL,
    /** Some of its servers. */
    SOME,
    /** None of its servers. */
    NONE
  }

  /**
   * What is known of a store without any decision.
   *
   * @param reach how much of it responds
   * @param writes how much of it accepts writes, as far as is known
   * @param areWritesKnown whether every server could be asked for a write
   */
  public record StoreReport(Reach reach, Reach writes, boolean areWritesKnown) {
    /** A store of which all works. */
    public static StoreReport good() {
      return new StoreReport(Reach.ALL, Reach.ALL, true);
    }

    /** Whether all of it responds and accepts writes. */
    public boolean isWhole() {
      return reach == Reach.ALL && writes == Reach.ALL;
    }
  }

  /** The judgement. */
  public enum State {
    /** Decisions use the counters. */
    GOOD,
    /** Some decisions are made without counters, or would be. */
    PARTIAL,
    /** No decision can use the counters. */
    FAILED
  }

  /** The decisions of a few seconds. */
  private static final class Period {
    final long startNanos;
    final @Nullable Period before;
    final LongAdder made = new LongAdder();
    final LongAdder failed = new LongAdder();

    Period(long startNanos, @Nullable Period before) {
      this.startNanos = startNanos;
      this.before = before;
    }
  }

  @Override
  public void decided(Verdict verdict, long latencyNanos) {
    Period period = period();
    period.made.increment();
    if (verdict.isDegraded()) {
      period.failed.increment();
    }
  }

  private Period period() {
    Period period = current;
    return nanoClock.getAsLong() - period.startNanos < PERIOD_NANOS ? period : next();
  }

  private synchronized Period next() {
    long now = nanoClock.getAsLong();
    Period period = current;
    long age = now - period.startNanos;
    if (age >= PERIOD_NANOS) {
      // Only the period before this one counts, and it must not keep all earlier ones in memory.
      period = new Period(now, age < 2 * PERIOD_NANOS ? copyWithoutBefore(period) : null);
      current = period;
    }
    return period;
  }

  private static Period copyWithoutBefore(Period period) {
    Period copy = new Period(period.startNanos, null);
    copy.made.add(period.made.sum());
    copy.failed.add(period.failed.sum());
    return copy;
  }

  /** The state now; without decisions in the last seconds it is what the store reports. */
  public State state(StoreReport store) {
    Period period = period();
    Period before = period.before;
    long made = period.made.sum() + (before == null ? 0 : before.made.sum());
    long failed = period.failed.sum() + (before == null ? 0 : before.failed.sum());
    if (made > 0) {
      hasFailed = failed >= made;
    }
    if (store.reach == Reach.NONE || isOutage(store, made)) {
      return State.FAILED;
    }
    return failed > 0 || !store.isWhole() ? State.PARTIAL : State.GOOD;
  }

  /**
   * Decisions come first: a few that all failed are an outage, unless a part of the store works,
   * which may be the part that others ask for. Nobody sends requests to an instance that is not
   * ready, so without decisions its own writes tell.
   */
  private boolean isOutage(StoreReport store, long made) {
    if (made == 0) {
      return store.writes == Reach.NONE || (hasFailed && !store.areWritesKnown);
    }
    boolean isPartly = store.reach == Reach.SOME || store.writes == Reach.SOME;
    return hasFailed && !isPartly && (made >= MIN_DECISIONS || store.writes == Reach.NONE);
  }
}
