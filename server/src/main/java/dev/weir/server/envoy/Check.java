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
   * @param hits what it costs, without a sign, at most {@link RequestBounds#MAX_HITS}; 0 only reads
   *     the count
   * @param isNegative whether the hits are given back
   * @param isQuota whether it refuses only together with all other quotas of the request
   */
  Check(Domain.@Nullable Match match, long hits, boolean isNegative, boolean isQuota) {
    this.match = match;
    this.hits = hits;
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

  /** Whether there are hits to charge. */
  boolean isCharging() {
    return hits > 0 && !isNegative;
  }

  /** Whether it refuses its request on its own once it is over its limit. */
  boolean isEnforced() {
    return match != null && !isUnlimited() && !isShadow() && !isQuota;
  }

  /** The counter, by the limit that the store is to apply. */
  Counter counter(Limit limit) {
    Domain.Match found = matched();
    return new Counter(found.rule().counter(), found.key(), limit);
  }

  /** The store operation that charges this descriptor on its own. */
  Operation operation(RuleLimit limit) {
    List<Counter> counters = List.of(counter(limit.counting()));
    if (hits == 0) {
      return new Operation.Peek(counters, 0);
    }
    return isNegative
        ? new Operation.Refund(counters, hits)
        : new Operation.Acquire(counters, hits);
  }

  /** The store operation that tells {@link #wouldBeOver} and charges nothing. */
  Operation peek(RuleLimit limit) {
    return new Operation.Peek(List.of(counter(limit.counting())), limit.countsOn() ? 0 : hits);
  }

  /** Whether charging this descriptor takes its counter over the limit, after a {@link #peek}. */
  boolean wouldBeOver(Decision peeked, RuleLimit limit) {
    if (isNegative) {
      return false;
    }
    return limit.countsOn() ? count(peeked) + hits > limit.capacity() : !peeked.allowed();
  }

  /** Records that nothing was charged because another descriptor is over its limit. */
  void skipped(Decision peeked, RuleLimit limit) {
    boolean isOver =
        limit.countsOn() ? count(peeked) > limit.capacity() : wouldBeOver(peeked, limit);
    if (limit.countsOn()) {
      settleCount(isOver, peeked, limit);
    } else {
      settle(isOver, peeked, peeked.status(), limit);
    }
    if (isOver) {
      stats().refused(hits, isShadow());
    } else {
      stats().hadRoom(hits);
    }
  }

  /** The count of a limit that the store keeps in a window without bound. */
  private static long count(Decision decision) {
    return Limit.MAX_PERMITS - decision.status().remaining();
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
    long count = count(decision);
    settleCount(!isNegative && count > limit.capacity(), decision, limit);
    if (isNegative) {
      stats().givenBack(hits);
    } else {
      stats().counted(hits, count, limit.capacity(), isShadow());
    }
  }

  private void settleCount(boolean over, Decision decision, RuleLimit limit) {
    isLimited = true;
    isOver = over;
    remaining = over ? 0 : Math.max(0, limit.capacity() - count(decision));
    resetMicros = untilEndOfWindow(decision.atMicros());
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
