package dev.weir.testkit;

import dev.weir.Limit;
import dev.weir.SlidingLog;
import java.util.ArrayList;
import java.util.List;

/**
 * A sliding log.
 *
 * @param charges the charges, oldest first
 */
record LogState(SlidingLog limit, List<Charge> charges) implements OracleState {

  /** An amount that counts from its instant until a period later. */
  record Charge(long at, long amount) {}

  static LogState restore(SlidingLog limit, long used, long now) {
    return new LogState(limit, List.of(new Charge(now, used)));
  }

  private boolean counts(Charge charge, long now) {
    return now < goneAt(charge);
  }

  private long goneAt(Charge charge) {
    return charge.at + limit.period().micros();
  }

  private long sum(long now) {
    long sum = 0;
    for (Charge charge : charges) {
      if (counts(charge, now)) {
        sum += charge.amount;
      }
    }
    return sum;
  }

  @Override
  public Fraction used(long now) {
    return Fraction.of(sum(now));
  }

  @Override
  public long freeAt(long permits, long now) {
    long used = sum(now);
    long at = now;
    for (Charge charge : charges) {
      if (used > permits && counts(charge, now)) {
        used -= charge.amount;
        at = goneAt(charge);
      }
    }
    return at;
  }

  @Override
  public LogState charge(long cost, long now) {
    List<Charge> counting = counting(now);
    counting.add(new Charge(now, cost));
    return new LogState(limit, counting);
  }

  @Override
  public LogState refund(long cost, long now) {
    List<Charge> rest = counting(now);
    long left = cost;
    while (left > 0 && !rest.isEmpty()) {
      Charge newest = rest.remove(rest.size() - 1);
      if (newest.amount > left) {
        rest.add(new Charge(newest.at, newest.amount - left));
      }
      left -= Math.min(left, newest.amount);
    }
    return new LogState(limit, rest);
  }

  private List<Charge> counting(long now) {
    List<Charge> counting = new ArrayList<>(charges.size() + 1);
    for (Charge charge : charges) {
      if (counts(charge, now)) {
        counting.add(charge);
      }
    }
    return counting;
  }

  @Override
  public LogState settle(long now) {
    if (charges.isEmpty() || charges.get(charges.size() - 1).at <= now) {
      return this;
    }
    return new LogState(
        limit, charges.stream().map(c -> new Charge(Math.min(c.at, now), c.amount)).toList());
  }

  /** A store may drop charges one by one as they cease to count. */
  @Override
  public boolean mayBeForgotten(long now) {
    return charges.isEmpty() || !counts(charges.get(0), now);
  }

  @Override
  public boolean hasMeterOf(Limit other) {
    return other instanceof SlidingLog log && log.period().equals(limit.period());
  }
}
