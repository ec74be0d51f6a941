package dev.weir;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/** Four requests of both ways for three permits: three pass. */
@JCStressTest
@Outcome(id = "3, 0", expect = ACCEPTABLE, desc = "neither one too many nor one lost")
@State
public class FourForThreePermitsStress {
  private final MemoryCounterStore store = Subjects.store(16);
  private final MemoryPath path = Subjects.path(store, Subjects.THREE);
  private int charged;
  private int transacted;

  public FourForThreePermitsStress() {
    // So that the key has a cell already.
    Subjects.acquire(store, "a", Subjects.THREE, 1);
    Subjects.refund(store, "a", Subjects.THREE, 1);
  }

  @Actor
  public void charge() {
    charged = (path.tryAcquire("a", 1) ? 1 : 0) + (path.tryAcquire("a", 1) ? 1 : 0);
  }

  @Actor
  public void transact() {
    transacted =
        (Subjects.acquire(store, "a", Subjects.THREE, 1) ? 1 : 0)
            + (Subjects.acquire(store, "a", Subjects.THREE, 1) ? 1 : 0);
  }

  @Arbiter
  public void count(IJ_Result result) {
    result.r1 = charged + transacted;
    result.r2 = Subjects.remaining(store, "a", Subjects.THREE);
  }
}
