package dev.weir.policy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.PolicyText;
import dev.weir.testkit.TestLevel;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/**
 * A file with random mistakes is either a policy that prints and reads the same, or is refused with
 * a place for every mistake.
 */
class ConfigMutationTest {
  private static final int MUTATIONS = TestLevel.amount("weir.policy.mutations", 2_000, 10_000);

  private final long seed =
      Long.getLong("weir.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));

  @Test
  void everyMutationIsReadOrRefusedWithItsPlace() throws IOException {
    ConfigMutations mutations = new ConfigMutations(seed);
    int accepted = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      accepted += isAccepted(mutations.next(), i) ? 1 : 0;
    }

    assertThat(accepted).as("seed %d", seed).isBetween(MUTATIONS / 50, MUTATIONS);
  }

  private boolean isAccepted(String text, int number) {
    try {
      PolicyDefinition policy = ConfigReader.parse(text, "weir.toml", Map.of()).policy();
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
}
