package dev.weir.testkit;

import dev.weir.CounterStore;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;

/** So does the one that replays use. */
class CompactCounterStoreContractTest extends CounterStoreContract {

  @Override
  public CounterStore createStore(ManualTime time) {
    return MemoryCounterStore.compact(time, 10_000);
  }

  /** It shares most of its code with the store of {@link MemoryCounterStoreContractTest}. */
  @Override
  protected long historyOperations() {
    return TestLevel.amount("weir.history.operations", 10_000L, 2_000_000L);
  }

  @Override
  protected int contendedKeys() {
    return TestLevel.isLong() ? super.contendedKeys() : 64;
  }
}
