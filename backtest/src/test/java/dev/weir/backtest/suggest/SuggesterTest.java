package dev.weir.backtest.suggest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.backtest.suggest.Suggestions.Curve;
import dev.weir.backtest.suggest.Suggestions.OfEndpoint;
import dev.weir.backtest.suggest.Suggestions.Point;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.ClientList;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.config.ConfigReader;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SuggesterTest {
  private static final long SECOND = 1_000_000;
  private static final long NOON = 1_772_366_400L * SECOND;

  private static Suggester suggester(int mostClients, long seed) {
    return new Suggester(
        Allowance.USUAL, mostClients, Suggester.MOST_WORDS, new SplittableRandom(seed));
  }

  private static Curve curve(OfEndpoint endpoint, String start) {
    return endpoint.curves().stream()
        .filter(curve -> curve.points().get(0).limit().toString().equals(start))
        .findFirst()
        .orElseThrow();
  }

  private static String text(@Nullable Object limit) {
    return Objects.requireNonNull(limit, "limit").toString();
  }

  @Test
  void findsTheSmallestLimitThatRefusesNobody() {
    Suggester suggester = suggester(100, 1);
    for (int second = 0; second < 600; second++) {
      for (int i = 0; i < 7; i++) {
        suggester.accept(NOON + second * SECOND, "chat", "user:steady", 1);
      }
    }
    OfEndpoint chat = suggester.suggestions().endpoints().get(0);
    assertThat(chat.requests()).isEqualTo(4_200);
    assertThat(text(curve(chat, "1/s").byRequests())).isEqualTo("10/s");
    assertThat(text(curve(chat, "1/s fixed_window").byClients())).isEqualTo("10/s fixed_window");
    assertThat(text(curve(chat, "1/m fixed_window").byRequests())).isEqualTo("500/m fixed_window");
    assertThat(text(curve(chat, "1/h sliding_log").byRequests())).isEqualTo("5000/h sliding_log");
  }

  @Test
  void toleratesTheShareThatIsAllowed() {
    Suggester suggester = suggester(5_000, 1);
    for (int client = 0; client < 2_000; client++) {
      for (int i = 0; i < (client < 2 ? 40 : 3); i++) {
        suggester.accept(NOON, "*", "user:" + client, 1);
      }
    }
    OfEndpoint other = suggester.suggestions().endpoints().get(0);
    Curve windows = curve(other, "1/s fixed_window");
    // Two clients in two thousand are one in a thousand; their requests are more than that.
    assertThat(text(windows.byClients())).isEqualTo("3/s fixed_window");
    assertThat(text(windows.byRequests())).isEqualTo("50/s fixed_window");
    Point two = windows.points().get(1);
    assertThat(two.clients()).isEqualTo(new Share(2_000, 2_000));
    assertThat(two.requests()).isEqualTo(new Share(1_998 + 2 * 38, 1_998 * 3 + 80));
  }

  @Test
  void suggestsABurstWhereItSavesHalfOfThePermits() {
    Suggester suggester = suggester(100, 1);
    for (int minute = 0; minute < 60; minute++) {
      for (int i = 0; i < 20; i++) {
        suggester.accept(NOON + minute * 60L * SECOND, "bursts", "user:a", 1);
      }
      for (int second = 0; second < 60; second++) {
        suggester.accept(NOON + (minute * 60L + second) * SECOND, "steady", "user:a", 1);
      }
    }
    Suggestions suggestions = suggester.suggestions();
    OfEndpoint steady = suggestions.endpoints().get(0);
    OfEndpoint bursts = suggestions.endpoints().get(1);
    assertThat(text(curve(bursts, "1/s").byRequests())).isEqualTo("20/s");
    assertThat(text(curve(bursts, "1/s burst 4").byRequests())).isEqualTo("5/s burst 20");
    assertThat(steady.endpoint()).isEqualTo("steady");
    assertThat(steady.curves())
        .filteredOn(curve -> curve.window().equals("s"))
        .noneMatch(curve -> curve.burst() > 1);
  }

  @Test
  void saysSoWhenNoLimitThatIsTriedIsEnough() {
    Suggester suggester = suggester(100, 1);
    for (int i = 0; i < 100; i++) {
      suggester.accept(NOON, "*", "user:a", 1_000_000);
    }
    OfEndpoint other = suggester.suggestions().endpoints().get(0);
    assertThat(other.curves())
        .filteredOn(curve -> curve.burst() == 1)
        .allMatch(curve -> curve.byRequests() == null && curve.byClients() == null);
    assertThat(curve(other, "1/h").points()).hasSize(Window.HOUR.rungs());
  }

  @Test
  void aCurveEndsWithTheFirstLimitThatRefusesNothing() {
    Suggester suggester = suggester(100, 1);
    for (int i = 0; i < 4; i++) {
      suggester.accept(NOON, "*", "user:a", 1);
    }
    List<Point> points =
        curve(suggester.suggestions().endpoints().get(0), "1/s sliding_window").points();
    assertThat(points).extracting(point -> point.requests().part()).containsExactly(3L, 2L, 1L, 0L);
  }

  /** Every tenth client asks ten times at once, the others once or twice. */
  private static void feed(Suggester suggester, int clients, SplittableRandom random) {
    for (int i = 0; i < clients; i++) {
      long at = NOON + i * 10_000L;
      int requests = i % 10 == 0 ? 10 : 1 + random.nextInt(2);
      for (int left = requests; left > 0; left--) {
        suggester.accept(at, "*", "ip:10.%d.%d.%d".formatted(i >> 16, i >> 8 & 255, i & 255), 1);
      }
    }
  }

  @Test
  void aSampleStaysSmallAndItsSharesAreThoseOfAllClients() {
    Suggester all = suggester(50_000, 1);
    feed(all, 8_000, new SplittableRandom(3));
    OfEndpoint exact = all.suggestions().endpoints().get(0);
    assertThat(exact.isExact()).isTrue();
    assertThat(exact.sampledClients()).isEqualTo(8_000);
    Point three = curve(exact, "1/s fixed_window").points().get(2);
    assertThat(three.clients().percent()).isEqualTo(10);

    double sumOfClients = 0;
    double sumOfRequests = 0;
    int samples = 6;
    for (int seed = 0; seed < samples; seed++) {
      Suggester some = suggester(1_000, seed);
      feed(some, 8_000, new SplittableRandom(3));
      OfEndpoint sampled = some.suggestions().endpoints().get(0);
      assertThat(sampled.requests()).isEqualTo(exact.requests());
      assertThat(sampled.sampledClients()).isBetween(300L, 1_000L);
      assertThat(sampled.oneIn()).isGreaterThanOrEqualTo(8);
      Point estimated = curve(sampled, "1/s fixed_window").points().get(2);
      assertThat(estimated.clients().percent()).isCloseTo(10, within(5.5));
      sumOfClients += estimated.clients().percent();
      sumOfRequests += estimated.requests().percent();
    }
    assertThat(sumOfClients / samples).isCloseTo(10, within(2.0));
    assertThat(sumOfRequests / samples).isCloseTo(three.requests().percent(), within(3.0));
  }

  @Test
  void endpointsWithFewClientsStayExactBesideOneWithMany() {
    Suggester suggester = suggester(1_000, 5);
    for (int i = 0; i < 100; i++) {
      suggester.accept(NOON, "login", "user:" + i, 1);
    }
    feed(suggester, 4_000, new SplittableRandom(3));
    List<OfEndpoint> endpoints = suggester.suggestions().endpoints();
    assertThat(endpoints).extracting(OfEndpoint::endpoint).containsExactly("*", "login");
    assertThat(endpoints.get(0).isExact()).isFalse();
    assertThat(endpoints.get(1).isExact()).isTrue();
    assertThat(endpoints.get(1).sampledClients()).isEqualTo(100);
  }

  @Test
  void looksAtFewerClientsWhenTheirCountersNeedMoreMemory() {
    long mostWords = 250_000;
    Suggester suggester =
        new Suggester(Allowance.USUAL, 10_000, mostWords, new SplittableRandom(1));
    for (int round = 0; round < 30; round++) {
      for (int client = 0; client < 300; client++) {
        suggester.accept(NOON + round * SECOND, "*", "user:" + client, 1);
      }
    }
    OfEndpoint other = suggester.suggestions().endpoints().get(0);
    assertThat(other.isExact()).isFalse();
    assertThat(other.sampledClients()).isBetween(30L, 150L);
    assertThat(suggester.words()).isLessThanOrEqualTo(mostWords);
    // All clients do the same, so every sample says the same.
    assertThat(curve(other, "1/m fixed_window").points().get(3).clients().percent()).isEqualTo(100);
    assertThat(text(curve(other, "1/m fixed_window").byClients())).isEqualTo("30/m fixed_window");
  }

  @Test
  void clientsThatRestMakeRoomForOthers() {
    Suggester suggester = new Suggester(Allowance.USUAL, 10_000, 500_000, new SplittableRandom(1));
    for (int day = 0; day < 10; day++) {
      for (int i = 0; i < 20 * 50; i++) {
        long at = NOON + day * 86_400L * SECOND + i * 1_000L;
        suggester.accept(at, "*", "user:" + day + "." + i % 50, 1);
      }
    }
    OfEndpoint other = suggester.suggestions().endpoints().get(0);
    assertThat(other.sampledClients()).isEqualTo(500);
    assertThat(other.isExact()).isTrue();
  }

  @Test
  void takesWhatLimitsDecideAndNothingElse() {
    ManualTime time = TimeSource.manual(Instant.parse("2026-03-01T12:00:00Z"));
    Policy policy =
        Policy.compile(
            ConfigReader.parse(
                    """
                    [[endpoint]]
                    name = "chat"
                    paths = ["/chat"]
                    limit = "2/m"

                    [[rule]]
                    name = "health"
                    match = { path = "/health" }
                    action = "allow"

                    [[exempt]]
                    user = "admin"
                    """,
                    "weir.toml",
                    Map.of())
                .policy());
    Suggester suggester = suggester(100, 1);
    Gate gate =
        new Gate(policy, new MemoryCounterStore(time, 100), new ClientList(), List.of(suggester));
    Client anyone = Client.at(Address.parse("10.0.0.1"), 64);
    for (int i = 0; i < 5; i++) {
      gate.check(Request.of("GET", "/chat", anyone));
      gate.check(Request.of("GET", "/health", anyone));
      gate.check(Request.of("GET", "/chat", anyone.withUser("admin")));
    }
    List<OfEndpoint> endpoints = suggester.suggestions().endpoints();
    assertThat(endpoints).extracting(OfEndpoint::endpoint).containsExactly("chat");
    assertThat(endpoints.get(0).requests()).isEqualTo(5);
    assertThat(text(curve(endpoints.get(0), "1/m").byClients())).isEqualTo("5/m");
  }
}
