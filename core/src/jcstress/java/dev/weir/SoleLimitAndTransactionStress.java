package dev.weir;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A request under one limit beside one under two, for a wide cell with one permit left. */
@JCStressTest
@Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the one under one limit came first")
@Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the transaction came first")
@State
public class SoleLimitAndTransactionStress {
  private final MemoryCounterStore store = Subjects.store(16);

  public SoleLimitAndTransactionStress() {
    // So that the key has a cell already.
    Subjects.acquire(store, "a", Subjects.WINDOW_OF_ONE, 1);
    Subjects.refund(store, "a", Subjects.WINDOW_OF_ONE, 1);
  }

  @Actor
  public void alone(ZZ_Result result) {
    result.r1 = Subjects.acquireAlone(store, "a", Subjects.WINDOW_OF_ONE, 1);
  }

  @Actor
  public void transact(ZZ_Result result) {
    result.r2 = Subjects.acquire(store, "a", Subjects.WINDOW_OF_ONE, 1);
  }
}
