package dev.weir.testkit;

import dev.weir.CounterStore;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;

/** The in-memory engine keeps the contract. */
class MemoryCounterStoreContractTest extends CounterStoreContract {

  @Override
  public CounterStore createStore(ManualTime time) {
    return new MemoryCounterStore(time, 10_000);
  }
}
