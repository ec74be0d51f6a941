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
}
