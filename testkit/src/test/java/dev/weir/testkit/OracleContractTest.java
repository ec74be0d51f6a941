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
    // Histories compare the oracle with itself, which only shows that it is deterministic.
    return TestLevel.isLong() ? 20_000 : 2_000;
  }

  @Override
  protected int contendedKeys() {
    return TestLevel.isLong() ? super.contendedKeys() : 64;
  }
}
