package dev.weir;

import java.time.Instant;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/** Several limits in one operation, and other limits in the next, on a clock that stands still. */
class MemoryCounterStoreLincheckTest extends LincheckTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final Limit[] LIMITS = {
    Limit.parse("3/h"),
    Limit.parse("3/h burst 5"),
    Limit.parse("4/d"),
    Limit.parse("4/h sliding_log"),
  };

  private static final Counter SMALL = new Counter("small", "a", Limit.parse("2/h"));
  private static final Counter LARGE = new Counter("large", "a", Limit.parse("4/h sliding_window"));

  @Test
  void modelChecksSeveralLimits() {
    modelCheck(SeveralLimits.class);
  }

  @Test
  void stressesSeveralLimits() {
    stress(SeveralLimits.class);
  }

  @Test
  void modelChecksChangingLimits() {
    modelCheck(ChangingLimits.class);
  }

  @Test
  void stressesChangingLimits() {
    stress(ChangingLimits.class);
  }

  @Test
  void modelChecksChangingLimitsWithoutKey() {
    modelCheck(ChangingLimitsWithoutKey.class, ChangingLimits.class);
  }

  @Test
  void stressesChangingLimitsWithoutKey() {
    stress(ChangingLimitsWithoutKey.class, ChangingLimits.class);
  }

  /** A look at both counters sees the first charge of both or of neither. */
  @Test
  void modelChecksAPeekBesideTheFirstCharge() {
    Class<?> subject = SeveralLimits.class;
    modelCheck(
        subject,
        100,
        scenario(
            List.of(),
            List.of(call(subject, "peek")),
            List.of(call(subject, "acquire", 2)),
            List.of()));
  }

  /** All-or-nothing over two names, beside operations on one of them. */
  @Param(name = "cost", gen = IntGen.class, conf = "1:3")
  public static class SeveralLimits {
    private final MemoryCounterStore store = new MemoryCounterStore(new ManualTime(START), 100);

    @Operation
    public Decision acquire(@Param(name = "cost") int cost) {
      return store.applyNow(new dev.weir.Operation.Acquire(List.of(SMALL, LARGE), cost));
    }

    @Operation
    public Decision acquireInOtherOrder(@Param(name = "cost") int cost) {
      return store.applyNow(new dev.weir.Operation.Acquire(List.of(LARGE, SMALL), cost));
    }

    @Operation
    public Decision acquireLarge(@Param(name = "cost") int cost) {
      return store.applyNow(new dev.weir.Operation.Acquire(List.of(LARGE), cost));
    }

    @Operation
    public Decision peek() {
      return store.applyNow(new dev.weir.Operation.Peek(List.of(SMALL, LARGE), 1));
    }

    @Operation
    public Decision refund(@Param(name = "cost") int cost) {
      return store.applyNow(new dev.weir.Operation.Refund(List.of(SMALL, LARGE), cost));
    }

    @Operation
    public Decision resetSmall() {
      return store.applyNow(new dev.weir.Operation.Reset(List.of(SMALL)));
    }
  }

  /**
   * Operations that come with different limits for one counter: its state moves to other cells, or
   * on to another meter in the same ones. A limiter reads its limits when an operation starts, so
   * that a change beside the operation may come first and show late; here each operation brings its
   * own, and the order is strict.
   */
  @Param(name = "cost", gen = IntGen.class, conf = "1:3")
  @Param(name = "limit", gen = IntGen.class, conf = "0:3")
  public static class ChangingLimits {
    private final MemoryCounterStore store = new MemoryCounterStore(new ManualTime(START), 100);
    private final String key;
    private final MemoryPath early;

    public ChangingLimits() {
      this("a");
    }

    ChangingLimits(String key) {
      this.key = key;
      this.early = path(0);
    }

    @Operation
    public boolean tryAcquire(@Param(name = "cost") int cost) {
      return tryAcquire(early, cost);
    }

    @Operation
    public boolean tryAcquireLimit(
        @Param(name = "limit") int limit, @Param(name = "cost") int cost) {
      return tryAcquire(path(limit), cost);
    }

    @Operation
    public Decision acquire(@Param(name = "limit") int limit, @Param(name = "cost") int cost) {
      return store.applyNow(new dev.weir.Operation.Acquire(counters(limit), cost));
    }

    @Operation
    public Decision refund(@Param(name = "limit") int limit) {
      return store.applyNow(new dev.weir.Operation.Refund(counters(limit), 1));
    }

    private boolean tryAcquire(MemoryPath path, int cost) {
      return key.isEmpty() ? path.tryAcquire(cost) : path.tryAcquire(key, cost);
    }

    private MemoryPath path(int limit) {
      return new MemoryPath(store, counters(limit), List.of());
    }

    private List<Counter> counters(int limit) {
      return List.of(new Counter("name", key, LIMITS[limit]));
    }
  }

  /** The same for the cell that is found without a search; it must answer as one with a key. */
  public static class ChangingLimitsWithoutKey extends ChangingLimits {
    public ChangingLimitsWithoutKey() {
      super("");
    }
  }
}
