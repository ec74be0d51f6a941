package dev.weir.cli;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Sends nothing for a while, then much within two seconds, as batch jobs do. */
final class BurstVisitor implements DemoVisitor {
  private static final long BURST_MICROS = 2_000_000;

  private final double perBurst;
  private final long pauseMicros;
  private final RandomGenerator random;
  private final Function<RandomGenerator, DemoRequest> next;
  private DemoRequest job;
  private long startMicros;

  /**
   * With pauses of about that length.
   *
   * @param perBurst about how many requests at a time
   * @param next what a burst is made of
   */
  BurstVisitor(
      double perBurst,
      long pauseMicros,
      RandomGenerator random,
      Function<RandomGenerator, DemoRequest> next) {
    this.perBurst = perBurst;
    this.pauseMicros = pauseMicros;
    this.random = random;
    this.next = next;
    this.job = next.apply(random);
    // The first comes early, so that there is something to see.
    this.startMicros = pauseMicros / 4;
  }

  @Override
  public void visit(long nowMicros, long stepMicros, Consumer<DemoRequest> door) {
    if (nowMicros >= startMicros + BURST_MICROS) {
      job = next.apply(random);
      startMicros = nowMicros + pauseMicros / 2 + random.nextLong(pauseMicros);
    }
    if (nowMicros >= startMicros) {
      int count = RandomVisitor.count(random, perBurst * stepMicros / BURST_MICROS);
      for (int i = 0; i < count; i++) {
        door.accept(job);
      }
    }
  }
}
