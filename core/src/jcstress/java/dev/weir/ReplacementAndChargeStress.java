package dev.weir;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/**
 * The cells are replaced by wider ones for another kind of limit while the last of three permits is
 * charged in the old: one request passes, and what was used stays used.
 */
@JCStressTest
@Outcome(id = "true, false, 0", expect = ACCEPTABLE, desc = "the charge came first")
@Outcome(id = "false, true, 0", expect = ACCEPTABLE, desc = "the other limit came first")
@State
public class ReplacementAndChargeStress {
  private final MemoryCounterStore store = Subjects.store(16);
  private final MemoryPath path = Subjects.path(store, Subjects.THREE);

  public ReplacementAndChargeStress() {
    path.tryAcquire("a", 2);
  }

  @Actor
  public void charge(ZZJ_Result result) {
    result.r1 = path.tryAcquire("a", 1);
  }

  @Actor
  public void acquireUnderOtherLimit(ZZJ_Result result) {
    result.r2 = Subjects.acquire(store, "a", Subjects.LOG_OF_THREE, 1);
  }

  @Arbiter
  public void look(ZZJ_Result result) {
    result.r3 = Subjects.remaining(store, "a", Subjects.THREE);
  }
}
