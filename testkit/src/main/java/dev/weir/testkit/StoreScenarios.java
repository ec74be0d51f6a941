package dev.weir.testkit;

import dev.weir.CounterStore;
import dev.weir.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;

/** A part of the contract: tests on stores that are closed when they are over. */
abstract class StoreScenarios {

  /**
   * A Monday, at the start of every window that is counted from the epoch and not of odd length.
   */
  static final String MONDAY = "2026-01-05T00:00:00Z";

  private final Function<ManualTime, CounterStore> stores;
  private final List<CounterStore> opened = new ArrayList<>();

  StoreScenarios(Function<ManualTime, CounterStore> stores) {
    this.stores = stores;
  }

  /** An empty store whose clock shows that instant. */
  Subject subjectAt(String instant) {
    ManualTime time = new ManualTime(Instant.parse(instant));
    CounterStore store = stores.apply(time);
    opened.add(store);
    return new Subject(store, time);
  }

  static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  static Duration seconds(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  @AfterEach
  void closeStores() {
    opened.forEach(CounterStore::close);
    opened.clear();
  }
}
