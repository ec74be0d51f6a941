package dev.weir.conformance;

/** A clock that stands still until it is moved. */
final class ManualClock implements Clock {
  private volatile long nowSeconds;

  ManualClock(long nowSeconds) {
    this.nowSeconds = nowSeconds;
  }

  @Override
  public long nowSeconds() {
    return nowSeconds;
  }

  @Override
  public void advanceTo(long seconds) {
    nowSeconds = Math.max(nowSeconds, seconds);
  }
}
