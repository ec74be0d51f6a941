package dev.weir.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.PolicyText;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * A file with random mistakes is either a policy that prints and reads the same, or is refused with
 * a place for every mistake, and in either case quickly.
 */
class ConfigMutationTest {
  private static final int MUTATIONS = 10_000;

  /** What comes before classes are loaded and code is compiled is not measured. */
  private static final int WARM_UP = 500;

  private static final Duration LONGEST = Duration.ofMillis(200);
  private static final String LETTERS = "\"'[]{}=.,#/*-_ \n\t0159azAZ%é\u0000";

  private final long seed = Long.getLong("weir.seed", System.nanoTime());
  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private Duration slowest = Duration.ZERO;
  private int slowestNumber;

  @Test
  void everyMutationIsReadOrRefusedWithItsPlace() throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    String original = ConfigReaderTest.resource("every-key.toml");
    int accepted = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      String text = original;
      for (int changes = random.nextInt(1, 4); changes > 0; changes--) {
        text = mutated(text, random);
      }
      accepted += isAccepted(text, i) ? 1 : 0;
    }

    assertThat(accepted).as("seed %d", seed).isBetween(MUTATIONS / 50, MUTATIONS);
    System.out.printf(
        "slowest of %d mutations: number %d of seed %d, read in %d us of CPU time%n",
        MUTATIONS - WARM_UP, slowestNumber, seed, slowest.toNanos() / 1_000);
    assertThat(slowest)
        .as("seed %d, mutation %d", seed, slowestNumber)
        .isLessThanOrEqualTo(LONGEST);
  }

  /** Measured by the time of the thread, which is the same however busy the machine is. */
  private Config parse(String text, int number) {
    long start = threads.getCurrentThreadCpuTime();
    try {
      return ConfigReader.parse(text, "weir.toml", Map.of());
    } finally {
      Duration taken = Duration.ofNanos(threads.getCurrentThreadCpuTime() - start);
      if (number >= WARM_UP && taken.compareTo(slowest) > 0) {
        slowest = taken;
        slowestNumber = number;
      }
    }
  }

  private boolean isAccepted(String text, int number) {
    try {
      PolicyDefinition policy = parse(text, number).policy();
      String printed = PolicyText.print(policy);
      assertThat(ConfigReader.parse(printed, "weir.toml", Map.of()).policy())
          .as("seed %d, mutation %d:%n%s", seed, number, text)
          .isEqualTo(policy);
      return true;
    } catch (ConfigException refused) {
      assertThat(refused.mistakes())
          .as("seed %d, mutation %d:%n%s", seed, number, text)
          .isNotEmpty()
          .allSatisfy(mistake -> assertThat(mistake.place()).matches("weir.toml:\\d+:\\d+"));
      return false;
    } catch (RuntimeException unexpected) {
      return fail("seed %d, mutation %d:%n%s".formatted(seed, number, text), unexpected);
    }
  }

  private static String mutated(String text, SplittableRandom random) {
    int at = random.nextInt(text.length());
    int end = Math.min(text.length(), at + random.nextInt(1, 6));
    return switch (random.nextInt(6)) {
      case 0 -> text.substring(0, at) + text.substring(end);
      case 1 -> text.substring(0, at) + letter(random) + text.substring(at);
      case 2 ->
          text.substring(0, at) + letter(random) + text.substring(Math.min(text.length(), at + 1));
      case 3 -> text.substring(0, at) + text.substring(at, end) + text.substring(at);
      default -> withLinesMoved(text, random);
    };
  }

  private static char letter(SplittableRandom random) {
    return LETTERS.charAt(random.nextInt(LETTERS.length()));
  }

  /** A line dropped, doubled, or put elsewhere. */
  private static String withLinesMoved(String text, SplittableRandom random) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    String line = lines.get(random.nextInt(lines.size()));
    if (random.nextBoolean()) {
      lines.remove(line);
    }
    if (random.nextBoolean()) {
      lines.add(random.nextInt(lines.size() + 1), line);
    }
    return String.join("\n", lines) + "\n";
  }
}
