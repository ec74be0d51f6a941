package dev.weir;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import java.time.Duration;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * A key that has recovered is charged while another key, for which there is no place, makes the
 * sweep drop it. In its own cell or in the overflow, the permit goes once.
 */
@JCStressTest
@Outcome(id = "true, true, false", expect = ACCEPTABLE, desc = "each key has its permit, once")
@State
public class SweepAndChargeStress {
  private final ManualTime time = new ManualTime(Subjects.START);
  private final MemoryCounterStore store = new MemoryCounterStore(time, 1);
  private final MemoryPath path = Subjects.path(store, Subjects.ONE);

  public SweepAndChargeStress() {
    path.tryAcquire("a", 1);
    time.advance(Duration.ofHours(1));
  }

  @Actor
  public void charge(ZZZ_Result result) {
    result.r1 = path.tryAcquire("a", 1);
  }

  @Actor
  public void sweep(ZZZ_Result result) {
    result.r2 = path.tryAcquire("b", 1);
  }

  @Arbiter
  public void chargeAgain(ZZZ_Result result) {
    result.r3 = path.tryAcquire("a", 1);
  }
}
