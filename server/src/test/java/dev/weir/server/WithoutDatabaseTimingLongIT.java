package dev.weir.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** How soon an instance is ready whose PostgreSQL is gone. */
@Tag("long")
class WithoutDatabaseTimingLongIT extends WithoutDatabaseIT {
  private static final Duration LONGEST_START = Duration.ofSeconds(5);

  @Override
  Instance startWithoutDatabase(String what) {
    long start = System.nanoTime();
    Instance instance = super.startWithoutDatabase(what);
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    System.out.printf("without its database, %s: ready after %d ms%n", what, took.toMillis());
    assertThat(took).isLessThan(LONGEST_START);
    return instance;
  }
}
