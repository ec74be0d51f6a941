package dev.weir;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A charge by compare-and-set beside a locked one, with one permit left: one of them passes. */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the charge came first")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the transaction came first")
@State
public class ChargeAndTransactionStress {
  private final MemoryCounterStore store = Subjects.store(16);
  private final MemoryPath path = Subjects.path(store, Subjects.ONE);

  public ChargeAndTransactionStress() {
    // So that the key has a cell already.
    Subjects.acquire(store, "a", Subjects.ONE, 1);
    Subjects.refund(store, "a", Subjects.ONE, 1);
  }

  @Actor
  public void charge(ZZ_Result result) {
    result.r1 = path.tryAcquire("a", 1);
  }

  @Actor
  public void transact(ZZ_Result result) {
    result.r2 = Subjects.acquire(store, "a", Subjects.ONE, 1);
  }
}
