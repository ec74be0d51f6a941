package dev.weir.policy.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A file with random mistakes is read, or refused, quickly. */
@Tag("long")
class ConfigMutationLongTest {
  private static final int MUTATIONS = 10_000;

  /** The time before classes are loaded and code is compiled is not measured. */
  private static final int WARM_UP = 500;

  private static final Duration MAX_CPU_TIME = Duration.ofMillis(200);

  private final long seed =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  @Test
  void everyMutationIsReadQuickly() throws IOException {
    ConfigMutations mutations = new ConfigMutations(seed);
    Duration slowest = Duration.ZERO;
    int slowestNumber = -1;
    for (int i = 0; i < MUTATIONS; i++) {
      Duration taken = cpuTimeToParse(mutations.next());
      if (i >= WARM_UP && taken.compareTo(slowest) > 0) {
        slowest = taken;
        slowestNumber = i;
      }
    }

    assertThat(slowest)
        .as("seed %d, mutation %d", seed, slowestNumber)
        .isLessThanOrEqualTo(MAX_CPU_TIME);
  }

  /** CPU time of the thread, which is about the same however busy the machine is. */
  private Duration cpuTimeToParse(String text) {
    long startNanos = threads.getCurrentThreadCpuTime();
    try {
      ConfigReader.parse(text, "weir.toml", Map.of());
    } catch (ConfigException refused) {
      // Refusing counts as well.
    }
    return Duration.ofNanos(threads.getCurrentThreadCpuTime() - startNanos);
  }
}
