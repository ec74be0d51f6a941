package dev.weir.cli;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongToDoubleFunction;
import java.util.random.RandomGenerator;

/** Sends requests at random moments, as many independent people do: a Poisson process. */
final class RandomVisitor implements DemoVisitor {
  private static final double SECOND_MICROS = 1_000_000;

  private final LongToDoubleFunction rate;
  private final RandomGenerator random;
  private final Function<RandomGenerator, DemoRequest> next;

  /**
   * With a rate that changes.
   *
   * @param rate requests a second, by the time
   * @param next what the next request is
   */
  RandomVisitor(
      LongToDoubleFunction rate,
      RandomGenerator random,
      Function<RandomGenerator, DemoRequest> next) {
    this.rate = rate;
    this.random = random;
    this.next = next;
  }

  @Override
  public void visit(long nowMicros, long stepMicros, Consumer<DemoRequest> door) {
    int count = count(random, rate.applyAsDouble(nowMicros) * stepMicros / SECOND_MICROS);
    for (int i = 0; i < count; i++) {
      door.accept(next.apply(random));
    }
  }

  /** How many come where so many are expected. */
  static int count(RandomGenerator random, double expected) {
    double least = Math.exp(-expected);
    int count = 0;
    for (double rest = random.nextDouble(); rest > least; rest *= random.nextDouble()) {
      count++;
    }
    return count;
  }
}
