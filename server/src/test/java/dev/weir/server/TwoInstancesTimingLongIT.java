package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.TestLevel;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;

/** How soon a change on one instance is in force on another. */
@Tag("long")
@Tag("exclusive")
class TwoInstancesTimingLongIT extends TwoInstancesIT {

  @Override
  int changes() {
    return TestLevel.amount("weir.changes", 25, 100);
  }

  @Override
  LongSupplier clock() {
    return System::nanoTime;
  }

  @Override
  void judge(String how, List<Duration> all, Duration latest) {
    System.out.printf(
        "two instances, %s: %d changes in force on the other after p50 %d ms, p99 %d ms, max %d ms%n",
        how,
        all.size(),
        percentile(all, 50).toMillis(),
        percentile(all, 99).toMillis(),
        percentile(all, 100).toMillis());
    assertThat(percentile(all, 99)).isLessThan(latest);
  }

  private static Duration percentile(List<Duration> all, int percent) {
    List<Duration> sorted = all.stream().sorted().toList();
    return sorted.get((sorted.size() * percent + 99) / 100 - 1);
  }
}
