package dev.weir.testkit;

import dev.weir.Limit;
import dev.weir.TokenBucket;

/**
 * A token bucket.
 *
 * @param fullAt when it is full again
 */
record BucketState(TokenBucket limit, Fraction fullAt) implements OracleState {

  static BucketState restore(TokenBucket limit, long used, long now) {
    return new BucketState(limit, fillTime(limit, used).plus(now));
  }

  /** How long {@code permits} take to be refilled: n · T / P. */
  private static Fraction fillTime(TokenBucket limit, long permits) {
    return Fraction.of(limit.period().micros(), limit.permits()).times(permits);
  }

  @Override
  public Fraction used(long now) {
    return fullAt
        .minus(now)
        .max(Fraction.ZERO)
        .times(Fraction.of(limit.permits(), limit.period().micros()));
  }

  @Override
  public long freeAt(long permits, long now) {
    return Math.max(now, fullAt.minus(fillTime(limit, permits)).ceil());
  }

  @Override
  public BucketState charge(long cost, long now) {
    return new BucketState(limit, fullAt.max(Fraction.of(now)).plus(fillTime(limit, cost)));
  }

  @Override
  public BucketState refund(long cost, long now) {
    return fullAt.isAbove(now)
        ? new BucketState(limit, fullAt.minus(fillTime(limit, cost)).max(Fraction.of(now)))
        : this;
  }

  @Override
  public BucketState settle(long now) {
    Fraction latest = fillTime(limit, limit.burst()).plus(now);
    return fullAt.compareTo(latest) > 0 ? new BucketState(limit, latest) : this;
  }

  @Override
  public boolean hasMeterOf(Limit other) {
    return other instanceof TokenBucket bucket
        && refillsLike(bucket)
        && bucket.burst() == limit.burst();
  }

  @Override
  public OracleState under(Limit other, long now) {
    return other instanceof TokenBucket bucket && refillsLike(bucket)
        ? new BucketState(bucket, fullAt)
        : OracleState.super.under(other, now);
  }

  private boolean refillsLike(TokenBucket other) {
    return fillTime(limit, 1).equals(fillTime(other, 1));
  }
}
