package dev.weir.server.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.envoy.api.RateLimitDescriptor;
import dev.weir.envoy.api.RateLimitRequest;
import dev.weir.envoy.api.RateLimitResponse;
import dev.weir.envoy.api.RateLimitResponse.Code;
import dev.weir.envoy.api.RateLimitResponse.RateLimit;
import dev.weir.envoy.api.RateLimitUnit;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random requests under random rules are answered as the model of the reference answers them. */
class ReferencePropertyTest {
  private static final int CONFIGURATIONS = 20;
  private static final int REQUESTS = 250;
  private static final List<String> KEYS = List.of("a", "b", "a_x", "c");
  private static final List<String> VALUES = List.of("", "x", "y", "xy", "yx", "x.y");
  private static final List<String> PATTERNS = List.of("*", "x*", "*y", "x*y", "*x*");
  private static final List<String> NAMES = List.of("", "", "", "n1", "n2");

  private final Random random = new Random();

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private boolean chance(int percent) {
    return random.nextInt(100) < percent;
  }

  private void fill(ReferenceModel.Item parent, int depth) {
    Set<String> taken = new HashSet<>();
    for (int i = random.nextInt(6) + (depth == 1 ? 2 : 0); i > 0; i--) {
      boolean isPattern = chance(25);
      ReferenceModel.Item item =
          new ReferenceModel.Item(one(KEYS), isPattern ? one(PATTERNS) : one(VALUES));
      if (!taken.add(item.composite())) {
        continue;
      }
      item.shadow = chance(10);
      item.quota = chance(20);
      item.shared = isPattern && chance(50);
      if (chance(70)) {
        item.unlimited = chance(8);
        RateLimit.Builder limit = RateLimit.newBuilder().setName(one(NAMES));
        if (!item.unlimited) {
          limit.setRequestsPerUnit(random.nextInt(12));
          limit.setUnitValue(1 + random.nextInt(7));
        }
        item.limit = limit.build();
        item.replaces = chance(8) && !limit.getName().equals("n1") ? List.of("n1") : List.of();
      }
      if (depth < 3 && chance(40)) {
        fill(item, depth + 1);
      }
      parent.items.add(item);
    }
  }

  private RateLimitDescriptor descriptor() {
    RateLimitDescriptor.Builder descriptor = RateLimitDescriptor.newBuilder();
    for (int i = random.nextInt(10) < 6 ? 1 : 1 + random.nextInt(3); i > 0; i--) {
      descriptor.addEntriesBuilder().setKey(one(KEYS)).setValue(one(VALUES));
    }
    RateLimitDescriptor plain = descriptor.build();
    if (chance(6)) {
      RateLimitUnit unit = RateLimitUnit.forNumber(1 + random.nextInt(6));
      plain = Requests.override(random.nextInt(5), unit, plain);
    }
    return switch (random.nextInt(20)) {
      case 0, 1 -> Requests.hits(0, plain);
      case 2, 3 -> Requests.hits(1 + random.nextInt(6), plain);
      case 4, 5 -> Requests.negative(random.nextInt(4), plain);
      case 6 -> chance(20) ? Requests.hits(hugeHits(), plain) : plain;
      case 7 -> chance(20) ? Requests.negative(hugeHits(), plain) : plain;
      default -> plain;
    };
  }

  private long hugeHits() {
    return Integer.toUnsignedLong(random.nextInt());
  }

  private RateLimitRequest request() {
    RateLimitRequest.Builder request =
        RateLimitRequest.newBuilder().setDomain(chance(2) ? "other" : "edge");
    request.setHitsAddend(chance(80) ? 0 : random.nextInt(4));
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      request.addDescriptors(descriptor());
    }
    return request.build();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void answersAndStatisticsAreThoseOfTheModel(long seed) {
    random.setSeed(seed);
    int over = 0;
    for (int i = 0; i < CONFIGURATIONS; i++) {
      ReferenceModel.Item top = new ReferenceModel.Item("edge", "");
      fill(top, 1);
      ReferenceModel model = new ReferenceModel(top);
      StringBuilder yaml = new StringBuilder("{domain: edge, descriptors: [");
      top.items.forEach(item -> yaml.append(item.yaml()).append(", "));
      TestService service = TestService.with(yaml.append("]}").toString());
      service.time.set(Instant.ofEpochSecond(1_700_000_000L + random.nextInt(100_000_000)));
      for (int j = 0; j < REQUESTS; j++) {
        service.time.advance(
            chance(1)
                ? Duration.ofDays(random.nextInt(40))
                : Duration.ofMillis(random.nextInt(chance(10) ? 90_000 : 300)));
        RateLimitRequest request = request();
        RateLimitResponse expected = model.decide(request, service.time.nowMicros() / 1_000_000);

        assertThat(service.ask(request))
            .as("seed %d, configuration %d, request %d: %s under %s", seed, i, j, request, yaml)
            .isEqualTo(expected);
        over += expected.getOverallCode() == Code.OVER_LIMIT ? 1 : 0;
      }
      assertThat(service.stats.snapshot().noMatch()).isEqualTo(model.noMatch);
      for (EnvoyStats.RuleCounts counts : service.stats.snapshot().rules()) {
        assertThat(counts)
            .isEqualTo(
                model.stats.getOrDefault(
                    counts.key(), new EnvoyStats.RuleCounts(counts.key(), 0, 0, 0, 0, 0, 0)));
      }
      assertThat(service.stats.snapshot().rules())
          .extracting(EnvoyStats.RuleCounts::key)
          .containsAll(model.stats.keySet());
    }
    // Neither all nor nothing, or the comparison would say little.
    assertThat(over).isBetween(CONFIGURATIONS * REQUESTS / 20, CONFIGURATIONS * REQUESTS * 19 / 20);
  }
}
