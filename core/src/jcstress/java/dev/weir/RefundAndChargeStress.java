package dev.weir;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZJ_Result;

/** A refund of the only permit beside a charge: it is taken again, or it is there. */
@JCStressTest
@Outcome(id = "true, 0", expect = ACCEPTABLE, desc = "the refund came first")
@Outcome(id = "false, 1", expect = ACCEPTABLE, desc = "the charge came first")
@State
public class RefundAndChargeStress {
  private final MemoryCounterStore store = Subjects.store(16);
  private final MemoryPath path = Subjects.path(store, Subjects.ONE);

  public RefundAndChargeStress() {
    Subjects.acquire(store, "a", Subjects.ONE, 1);
  }

  @Actor
  public void refund() {
    Subjects.refund(store, "a", Subjects.ONE, 1);
  }

  @Actor
  public void charge(ZJ_Result result) {
    result.r1 = path.tryAcquire("a", 1);
  }

  @Arbiter
  public void look(ZJ_Result result) {
    result.r2 = Subjects.remaining(store, "a", Subjects.ONE);
  }
}
