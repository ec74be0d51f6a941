package dev.weir.testkit;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.LimitStatus;
import dev.weir.Operation;
import dev.weir.PenaltyCounter;
import dev.weir.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What every counter store should answer: {@code docs/semantics.md} word by word, in fractions,
 * with no eye to speed or memory. It forgets nothing but what is refunded or reset.
 *
 * <p>Not safe for use by many threads; see {@link OracleCounterStore}.
 */
public final class Oracle {

  private record Id(String name, String key) {}

  /** What the limits say to a cost: the reason, the wait and the limit that counts. */
  private record Verdict(Reason reason, long retryAfterMicros, int decisive) {}

  private final Map<Id, OracleState> states = new HashMap<>();
  private final Map<Id, PenaltyState> penalties = new HashMap<>();

  /** Applies the operation at that time, in microseconds since the epoch. */
  public Decision apply(Operation operation, long nowMicros) {
    if (operation instanceof Operation.Acquire acquire && acquire.cost() > 0) {
      return acquire(acquire, nowMicros);
    }
    if (operation instanceof Operation.Acquire acquire) {
      return peek(acquire, 0, nowMicros);
    }
    if (operation instanceof Operation.Peek peek) {
      return peek(peek, peek.cost(), nowMicros);
    }
    if (operation instanceof Operation.Refund refund) {
      return refund(refund, nowMicros);
    }
    return reset(operation, nowMicros);
  }

  /** Whether a store may have forgotten what the counter used, or a part of it, by that time. */
  boolean mayHaveForgotten(Counter counter, long nowMicros) {
    OracleState state = states.get(id(counter));
    return state == null || state.settle(nowMicros).mayBeForgotten(nowMicros);
  }

  /** Whether a store may have forgotten the penalty, or a violation, by that time. */
  boolean mayHaveForgotten(PenaltyCounter counter, long nowMicros) {
    return penalty(counter).mayBeForgotten(counter.penalty(), nowMicros);
  }

  private Decision acquire(Operation.Acquire acquire, long now) {
    List<Counter> counters = acquire.counters();
    List<OracleState> settled = settledStates(counters, now);
    write(counters, settled, now);
    settlePenalties(acquire.penalties(), now);
    Verdict verdict = judge(counters, settled, acquire.cost(), now);
    long penaltyLeft = longestPenalty(acquire.penalties(), now);
    if (penaltyLeft > 0) {
      long retryAfter = Math.max(penaltyLeft, verdict.retryAfterMicros);
      return answer(Reason.PENALTY, retryAfter, counters, settled, now);
    }
    if (verdict.reason == Reason.WITHIN_LIMITS) {
      List<OracleState> charged = charge(counters, settled, acquire.cost(), now);
      write(counters, charged, now);
      return answer(Reason.WITHIN_LIMITS, 0, counters, charged, now);
    }
    violate(acquire.penalties(), counters.get(verdict.decisive), now);
    long retryAfter =
        verdict.reason == Reason.LIMIT_EXCEEDED
            ? Math.max(verdict.retryAfterMicros, longestPenalty(acquire.penalties(), now))
            : 0;
    Verdict punished = new Verdict(verdict.reason, retryAfter, verdict.decisive);
    return answer(punished, statuses(counters, settled, now), now);
  }

  private Decision peek(Operation operation, long cost, long now) {
    List<Counter> counters = operation.counters();
    List<OracleState> settled = settledStates(counters, now);
    long penaltyLeft = 0;
    for (PenaltyCounter counter : operation.penalties()) {
      penaltyLeft = Math.max(penaltyLeft, penalty(counter).settle(now).timeLeft(now));
    }
    Verdict verdict = judge(counters, settled, cost, now);
    if (penaltyLeft > 0) {
      long retryAfter = Math.max(penaltyLeft, verdict.retryAfterMicros);
      return answer(Reason.PENALTY, retryAfter, counters, settled, now);
    }
    return verdict.reason == Reason.WITHIN_LIMITS
        ? answer(Reason.WITHIN_LIMITS, 0, counters, settled, now)
        : answer(verdict, statuses(counters, settled, now), now);
  }

  private Decision refund(Operation.Refund refund, long now) {
    List<Counter> counters = refund.counters();
    List<OracleState> refunded = new ArrayList<>();
    for (OracleState state : settledStates(counters, now)) {
      refunded.add(state.refund(refund.cost(), now));
    }
    write(counters, refunded, now);
    for (int i = 0; i < counters.size(); i++) {
      if (refunded.get(i).used(now).equals(Fraction.ZERO)) {
        states.remove(id(counters.get(i)));
      }
    }
    return answer(Reason.WITHIN_LIMITS, 0, counters, settledStates(counters, now), now);
  }

  private Decision reset(Operation reset, long now) {
    reset.counters().forEach(counter -> states.remove(id(counter)));
    reset.penalties().forEach(counter -> penalties.remove(id(counter)));
    List<OracleState> fresh = settledStates(reset.counters(), now);
    return answer(Reason.WITHIN_LIMITS, 0, reset.counters(), fresh, now);
  }

  private static Verdict judge(
      List<Counter> counters, List<OracleState> states, long cost, long now) {
    for (int i = 0; i < counters.size(); i++) {
      if (cost > capacity(counters.get(i))) {
        return new Verdict(Reason.COST_EXCEEDS_LIMIT, 0, i);
      }
    }
    Verdict verdict = new Verdict(Reason.WITHIN_LIMITS, 0, 0);
    for (int i = 0; i < counters.size(); i++) {
      long free = capacity(counters.get(i)) - cost;
      if (states.get(i).used(now).isAbove(free)) {
        long wait = states.get(i).freeAt(free, now) - now;
        if (verdict.reason == Reason.WITHIN_LIMITS || wait > verdict.retryAfterMicros) {
          verdict = new Verdict(Reason.LIMIT_EXCEEDED, wait, i);
        }
      }
    }
    return verdict;
  }

  private static List<OracleState> charge(
      List<Counter> counters, List<OracleState> states, long cost, long now) {
    List<OracleState> charged = new ArrayList<>();
    for (int i = 0; i < counters.size(); i++) {
      charged.add(states.get(i).under(counters.get(i).limit(), now).charge(cost, now));
    }
    return charged;
  }

  private List<OracleState> settledStates(List<Counter> counters, long now) {
    List<OracleState> settled = new ArrayList<>();
    for (Counter counter : counters) {
      OracleState state = states.get(id(counter));
      settled.add(state == null ? OracleState.restore(counter.limit(), 0, now) : state.settle(now));
    }
    return settled;
  }

  /** A state with nothing used is the same as none: it is not written, and what is there stays. */
  private void write(List<Counter> counters, List<OracleState> written, long now) {
    for (int i = 0; i < counters.size(); i++) {
      if (written.get(i).used(now).isAbove(0)) {
        states.put(id(counters.get(i)), written.get(i));
      }
    }
  }

  private void settlePenalties(List<PenaltyCounter> counters, long now) {
    for (PenaltyCounter counter : counters) {
      penalties.computeIfPresent(id(counter), (id, state) -> state.settle(now));
    }
  }

  private void violate(List<PenaltyCounter> counters, Counter decisive, long now) {
    long period = Window.periodMicros(decisive.limit(), now);
    for (PenaltyCounter counter : counters) {
      penalties.put(id(counter), penalty(counter).violate(counter.penalty(), period, now));
    }
  }

  private long longestPenalty(List<PenaltyCounter> counters, long now) {
    return counters.stream().mapToLong(c -> penalty(c).timeLeft(now)).max().orElse(0);
  }

  private PenaltyState penalty(PenaltyCounter counter) {
    return penalties.getOrDefault(id(counter), PenaltyState.NONE);
  }

  private static Decision answer(
      Reason reason, long retryAfter, List<Counter> counters, List<OracleState> states, long now) {
    List<LimitStatus> statuses = statuses(counters, states, now);
    return answer(new Verdict(reason, retryAfter, closestToExhaustion(statuses)), statuses, now);
  }

  private static Decision answer(Verdict verdict, List<LimitStatus> statuses, long now) {
    return new Decision(
        verdict.reason, now, verdict.retryAfterMicros, verdict.decisive, List.copyOf(statuses));
  }

  private static List<LimitStatus> statuses(
      List<Counter> counters, List<OracleState> states, long now) {
    List<LimitStatus> statuses = new ArrayList<>();
    for (int i = 0; i < counters.size(); i++) {
      Counter counter = counters.get(i);
      OracleState state = states.get(i);
      long remaining = Math.max(0, capacity(counter) - state.used(now).ceil());
      statuses.add(
          new LimitStatus(counter.name(), counter.limit(), remaining, state.freeAt(0, now)));
    }
    return statuses;
  }

  /** The index of the least remaining, of equals the latest reset, of these the first. */
  private static int closestToExhaustion(List<LimitStatus> statuses) {
    int closest = 0;
    for (int i = 1; i < statuses.size(); i++) {
      LimitStatus best = statuses.get(closest);
      LimitStatus status = statuses.get(i);
      if (status.remaining() < best.remaining()
          || (status.remaining() == best.remaining()
              && status.resetMicros() > best.resetMicros())) {
        closest = i;
      }
    }
    return closest;
  }

  private static long capacity(Counter counter) {
    return counter.limit().capacity();
  }

  private static Id id(Counter counter) {
    return new Id(counter.name(), counter.key());
  }

  private static Id id(PenaltyCounter counter) {
    return new Id(counter.name(), counter.key());
  }
}
