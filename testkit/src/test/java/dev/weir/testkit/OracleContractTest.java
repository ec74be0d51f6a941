package dev.weir.testkit;

import dev.weir.CounterStore;
import dev.weir.ManualTime;

/** The oracle itself keeps the contract: the fixed scenarios check it by hand-made numbers. */
class OracleContractTest extends CounterStoreContract {

  @Override
  public CounterStore createStore(ManualTime time) {
    return new OracleCounterStore(time);
  }

  @Override
  protected long historyOperations() {
    return 20_000;
  }
}
