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
 * As {@link SweepAndChargeStress}, but the clock moves meanwhile, so that the charge may have read
 * it before the key was dropped. When the hour is over there is one permit more, not two.
 */
@JCStressTest
@Outcome(id = "true, false, false", expect = ACCEPTABLE, desc = "the charge came after the hour")
@Outcome(id = "false, true, false", expect = ACCEPTABLE, desc = "the charge came before its end")
@State
public class SweepAndLateChargeStress {
  private final ManualTime time = new ManualTime(Subjects.START);
  private final MemoryCounterStore store = new MemoryCounterStore(time, 1);
  private final MemoryPath path = Subjects.path(store, Subjects.ONE);

  public SweepAndLateChargeStress() {
    path.tryAcquire("a", 1);
  }

  @Actor
  public void charge(ZZZ_Result result) {
    result.r1 = path.tryAcquire("a", 1);
  }

  @Actor
  public void sweep(ZZZ_Result result) {
    time.advance(Duration.ofHours(1));
    // Drops a, and leaves its place empty again: a refund makes b forgettable.
    path.tryAcquire("b", 1);
    Subjects.refund(store, "b", Subjects.ONE, 1);
    result.r2 = path.tryAcquire("a", 1);
  }

  @Arbiter
  public void chargeAgain(ZZZ_Result result) {
    result.r3 = path.tryAcquire("a", 1);
  }
}
