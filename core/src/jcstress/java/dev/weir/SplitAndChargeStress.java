package dev.weir;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/**
 * A segment splits for one key more while the last of three permits is charged, twice, to a key
 * that moves to the new segment: one request passes, and what was used stays used.
 */
@JCStressTest
@Outcome(id = "true, false, 3", expect = ACCEPTABLE, desc = "the transaction came first")
@Outcome(id = "false, true, 3", expect = ACCEPTABLE, desc = "the charge came first")
@State
public class SplitAndChargeStress {
  /** Has an entry in the upper half of the directory. */
  private static final long MOVING = 0xff_00_0000_0007L << 8;

  private static final long NOW = Micros.of(Subjects.START);

  private final TimeSource time = new ManualTime(Subjects.START);
  private final CounterTable table = new CounterTable(64, false, 4);
  private final TokenBucketMeter meter = (TokenBucketMeter) table.meter(Subjects.THREE);

  public SplitAndChargeStress() {
    acquire(MOVING, 2);
    for (int i = 1; i <= 5; i++) {
      acquire(other(i), 1);
    }
  }

  private static long other(long number) {
    return number << 40 | number * 0x1234_5678L;
  }

  private boolean acquire(long fingerprint, long cost) {
    Transaction transaction = Transaction.at(time, NOW);
    transaction.addLimit(table, fingerprint, meter, 3);
    try {
      return transaction.acquire(cost);
    } finally {
      transaction.end();
    }
  }

  @Actor
  public void split() {
    acquire(other(6), 1);
  }

  @Actor
  public void transact(ZZJ_Result result) {
    result.r1 = acquire(MOVING, 1);
  }

  @Actor
  public void charge(ZZJ_Result result) {
    int charged = table.tryCharge(MOVING, meter, time, NOW, 1);
    result.r2 =
        charged == TokenBucketMeter.LOOK_AGAIN
            ? acquire(MOVING, 1)
            : charged == TokenBucketMeter.CHARGED;
  }

  @Arbiter
  public void look(ZZJ_Result result) {
    Segment segment = table.segment(MOVING);
    if (segment != null) {
      Cells cells = segment.cells();
      result.r3 = meter.used(cells.head(cells.find(MOVING)), NOW);
    }
  }
}
