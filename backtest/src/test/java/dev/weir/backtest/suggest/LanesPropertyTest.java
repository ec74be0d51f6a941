package dev.weir.backtest.suggest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.RateLimiter;
import dev.weir.backtest.suggest.RandomLog.Entry;
import dev.weir.testkit.TestLevel;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Each rung refuses exactly what a limiter of its own refuses that is put to every request. */
class LanesPropertyTest {
  private static final int LOGS = TestLevel.amount("weir.backtest.logs", 4, 100);

  @Test
  void everyRungDecidesAsALimiterOfItsOwn() {
    long first = new SplittableRandom().nextLong();
    for (long seed = first; seed < first + LOGS; seed++) {
      check(seed);
    }
  }

  @Test
  void decidesAsALimiterOfItsOwnInLogsThatAreKnown() {
    check(1);
    check(2);
  }

  private static void check(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Entry> log = RandomLog.of(random, 1 + random.nextInt(8), 1_500);
    Lanes lanes = new Lanes(1_000);
    EndpointSample sample = new EndpointSample("*", new ClientHash(random), lanes);
    for (Entry entry : log) {
      SampledClient client = Objects.requireNonNull(sample.find(entry.client()), entry.client());
      sample.sums().addRequest();
      lanes.add(sample, client, entry.atMicros(), entry.cost());
    }
    lanes.run();
    for (Lane lane : lanes.all()) {
      for (int rung = 0; rung < lane.rungs(); rung++) {
        checkRung(seed, log, sample, lane, rung);
      }
      assertThat(lane.statistics().overflowed()).isZero();
    }
  }

  private static void checkRung(
      long seed, List<Entry> log, EndpointSample sample, Lane lane, int rung) {
    LaneClock clock = new LaneClock();
    RateLimiter limiter = RateLimiter.builder().limit(lane.limit(rung)).time(clock).build();
    long refused = 0;
    Set<String> clients = new HashSet<>();
    for (Entry entry : log) {
      clock.set(entry.atMicros());
      if (!limiter.tryAcquire(entry.client(), entry.cost())) {
        refused++;
        clients.add(entry.client());
      }
    }
    int number = rung;
    long sampled =
        sample.clients().stream()
            .filter(client -> (client.refusedBy(lane.number()) >>> number & 1) != 0)
            .count();
    assertThat(sample.sums().share(lane.number(), rung))
        .as("requests that %s refuses, seed %d", lane.limit(rung), seed)
        .isEqualTo(new Share(refused, log.size()));
    assertThat(sampled)
        .as("clients that %s refuses, seed %d", lane.limit(rung), seed)
        .isEqualTo(clients.size());
  }
}
