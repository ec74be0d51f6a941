package dev.weir.conformance;

/** The clock of this machine. */
final class RealClock implements Clock {

  @Override
  public long nowSeconds() {
    return System.currentTimeMillis() / 1_000;
  }

  @Override
  public void advanceTo(long seconds) {
    long left = seconds * 1_000 - System.currentTimeMillis();
    while (left > 0) {
      Pause.millis(left);
      left = seconds * 1_000 - System.currentTimeMillis();
    }
  }

  @Override
  public boolean isReal() {
    return true;
  }
}
