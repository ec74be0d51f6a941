package dev.weir;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Two first requests of one key: it gets one cell, and its only permit goes once. */
@JCStressTest
@Outcome(id = "true, false, 1", expect = ACCEPTABLE, desc = "the first actor came first")
@Outcome(id = "false, true, 1", expect = ACCEPTABLE, desc = "the second actor came first")
@State
public class ColdKeyStress {
  private final MemoryCounterStore store = Subjects.store(16);
  private final MemoryPath path = Subjects.path(store, Subjects.ONE);

  @Actor
  public void first(ZZJ_Result result) {
    result.r1 = path.tryAcquire("a", 1);
  }

  @Actor
  public void second(ZZJ_Result result) {
    result.r2 = path.tryAcquire("a", 1);
  }

  @Arbiter
  public void count(ZZJ_Result result) {
    result.r3 = store.statistics().liveKeys();
  }
}
