package dev.weir.cli;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Asks as another does, but, once refused, not before the time that the answer has named. */
final class PoliteVisitor implements DemoVisitor {
  private static final long SECOND_MICROS = 1_000_000;

  private final DemoVisitor other;
  private final AtomicLong waitsUntilMicros = new AtomicLong();

  PoliteVisitor(DemoVisitor other) {
    this.other = other;
  }

  @Override
  public void visit(long nowMicros, long stepMicros, Consumer<DemoRequest> door) {
    if (nowMicros >= waitsUntilMicros.get()) {
      other.visit(nowMicros, stepMicros, door);
    }
  }

  @Override
  public void refused(long nowMicros, long retryAfterSeconds) {
    waitsUntilMicros.accumulateAndGet(nowMicros + retryAfterSeconds * SECOND_MICROS, Math::max);
  }
}
