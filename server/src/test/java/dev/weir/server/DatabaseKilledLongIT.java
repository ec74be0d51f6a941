package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.testkit.TestLevel;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Tag;

/** PostgreSQL is killed often, and no decision takes long. */
@Tag("long")
class DatabaseKilledLongIT extends DatabaseKilledIT {
  /** No decision waits for the database; but a decision may wait for a processor. */
  private static final Duration LONGEST_DECISION = Duration.ofSeconds(5);

  @Override
  int kills() {
    return TestLevel.amount("weir.control.database.kills", 3, 50);
  }

  @Override
  LongSupplier clock() {
    return System::nanoTime;
  }

  @Override
  void judge(long slowest) {
    System.out.printf("slowest decision: %d ms%n", slowest / 1_000_000);
    assertThat(Duration.ofNanos(slowest)).isLessThan(LONGEST_DECISION);
  }
}
