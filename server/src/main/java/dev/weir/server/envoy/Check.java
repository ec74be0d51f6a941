package dev.weir.server.envoy;

import dev.weir.Counter;
import dev.weir.Decision;
import dev.weir.Limit;
import dev.weir.LimitStatus;
import dev.weir.Operation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One descriptor of a request: the rule that holds for it, what it costs, and what came of it. Used
 * by one thread at a time.
 */
final class Check {
  private final Domain.@Nullable Match match;
  private final long hits;
  private final boolean isNegative;
  private final boolean isQuota;

  // What came of it. Without a limit nothing is known but that it passes.
  private boolean isLimited;
  private boolean isOver;
  private long remaining;
  private long resetMicros;

  /**
   * A descriptor that was not decided yet.
   *
   * @param match the rule that holds; null for none
   * @param hits what it costs, without a sign; 0 only looks
   * @param isNegative whether the hits are given back
   * @param isQuota whether it refuses only together with all other quotas of the request
   */
  Check(Domain.@Nullable Match match, long hits, boolean isNegative, boolean isQuota) {
    this.match = match;
    // More than any limit has is as good as one more than that, and can be counted with.
    boolean isLarge = Long.compareUnsigned(hits, Limit.MAX_PERMITS) > 0;
    this.hits = isLarge ? Limit.MAX_PERMITS + 1 : hits;
    this.isNegative = isNegative;
    this.isQuota = isQuota;
  }

  @Nullable Rule rule() {
    return match == null ? null : match.rule();
  }

  /** The limit to count by; null if nothing is counted. */
  @Nullable RuleLimit limit() {
    return match == null ? null : match.rule().limit();
  }

  long hits() {
    return hits;
  }

  boolean isUnlimited() {
    return match != null && match.rule().isUnlimited();
  }

  /** Whether its rule lets nothing pass. */
  boolean isBlocked() {
    return match != null && match.rule().limit() == null && !match.rule().isUnlimited();
  }

  /** Whether there are hits that it wants to have counted. */
  boolean isCharging() {
    return hits > 0 && !isNegative;
  }

  /** Whether it can refuse its request by itself, by hits that it wants to have counted. */
  boolean isEnforced() {
    return isCharging() && match != null && !isUnlimited() && !isShadow() && !isQuota;
  }

  /** The counter, by the limit that the store is to apply. */
  Counter counter(Limit limit) {
    Domain.Match found = matched();
    return new Counter(found.rule().counter(), found.key(), limit);
  }

  /**
   * What to ask the store for, for this descriptor by itself. More hits than the limit can never
   * pass and are not counted, so that one request cannot lock others out.
   */
  Operation operation(RuleLimit limit) {
    List<Counter> counters = List.of(counter(limit.counting()));
    boolean isTooMuch = limit.countsOn() && hits > limit.capacity();
    if (hits > 0 && isNegative) {
      return new Operation.Refund(counters, hits);
    }
    return hits == 0 || isTooMuch
        ? new Operation.Peek(counters, 0)
        : new Operation.Acquire(counters, hits);
  }

  /** The store has answered that. */
  void counted(Decision decision, RuleLimit limit) {
    if (limit.countsOn()) {
      countedOn(decision, limit);
    } else if (isNegative) {
      settle(false, decision, decision.status(), limit);
      stats().givenBack(hits);
    } else if (decision.allowed()) {
      granted(decision, decision.status(), limit);
    } else {
      notCharged(true, decision, decision.status(), limit);
    }
  }

  private void countedOn(Decision decision, RuleLimit limit) {
    long permits = limit.capacity();
    long count = Limit.MAX_PERMITS - decision.status().remaining();
    boolean isTooMuch = hits > permits;
    isLimited = true;
    isOver = !isNegative && (isTooMuch || count > permits);
    remaining = isOver ? 0 : Math.max(0, permits - count);
    resetMicros = untilEndOfWindow(decision.atMicros());
    if (isNegative) {
      stats().givenBack(hits);
    } else if (isTooMuch) {
      stats().refused(hits, isShadow());
    } else {
      stats().counted(hits, count, permits, isShadow());
    }
  }

  /** The store has charged the hits to that limit. */
  void granted(Decision decision, LimitStatus status, RuleLimit limit) {
    settle(false, decision, status, limit);
    stats().counted(hits, limit.capacity() - status.remaining(), limit.capacity(), isShadow());
  }

  /** The store has charged nothing: there was no room, or another limit had none. */
  void notCharged(boolean hasNoRoom, Decision decision, LimitStatus status, RuleLimit limit) {
    settle(hasNoRoom, decision, status, limit);
    if (hasNoRoom) {
      stats().refused(hits, isShadow());
    } else {
      stats().hadRoom(hits);
    }
  }

  private void settle(boolean over, Decision decision, LimitStatus status, RuleLimit limit) {
    isLimited = true;
    isOver = over;
    remaining = over ? 0 : status.remaining();
    if (limit.countsOn()) {
      resetMicros = untilEndOfWindow(decision.atMicros());
    } else {
      resetMicros =
          over && decision.retryAfterMicros() > 0
              ? decision.retryAfterMicros()
              : status.resetMicros() - decision.atMicros();
    }
  }

  /** The rule lets nothing pass; to look costs nothing, which is not above its limit. */
  void blocked(long atMicros) {
    isLimited = true;
    isOver = !isNegative && hits > 0;
    resetMicros = untilEndOfWindow(atMicros);
    if (isNegative) {
      stats().givenBack(hits);
    } else {
      stats().refused(hits, isShadow());
    }
  }

  private long untilEndOfWindow(long atMicros) {
    long span = matched().rule().spanMicros();
    return span - atMicros % span;
  }

  private Domain.Match matched() {
    if (match == null) {
      throw new IllegalStateException("no rule holds, so there is nothing to count");
    }
    return match;
  }

  private RuleStats stats() {
    return matched().stats();
  }

  private boolean isShadow() {
    return matched().rule().isShadow();
  }

  /** Whether there is a limit whose state is known. */
  boolean isLimited() {
    return isLimited;
  }

  /** Whether it is over its limit, and not in shadow mode. */
  boolean isRefused() {
    return isOver && !isShadow();
  }

  boolean isQuota() {
    return isQuota;
  }

  long remaining() {
    return remaining;
  }

  /** How long until the limit resets, in whole seconds, rounded up. */
  long resetSeconds() {
    return -Math.floorDiv(-resetMicros, 1_000_000L);
  }
}
