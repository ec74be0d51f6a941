package dev.weir.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.backtest.LoggedRequest;
import dev.weir.policy.Client;
import dev.weir.policy.ClientList;
import dev.weir.policy.Gate;
import dev.weir.policy.Headers;
import dev.weir.policy.Outcome;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.config.ConfigReader;
import dev.weir.policy.config.TrafficSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class KeptTrafficTest {
  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  private final ManualTime time = TimeSource.manual(START);

  private static Policy policy(String toml) {
    return Policy.compile(ConfigReader.parse(toml, "weir.toml", Map.of()).policy());
  }

  private KeptTraffic traffic(Duration keep, int most, double clients) {
    return new KeptTraffic(new TrafficSettings(keep, most, clients), policy(""), time);
  }

  private Gate gate(String toml, KeptTraffic traffic) {
    return new Gate(
        policy(toml), new MemoryCounterStore(time, 1_000), new ClientList(time), List.of(traffic));
  }

  private static void ask(Gate gate, String user, String path) {
    gate.check(Request.of("GET", path, Client.unknown().withUser(user)));
  }

  private static List<String> paths(KeptTraffic traffic) {
    return traffic.since(0).stream().map(kept -> kept.request().path()).toList();
  }

  @Test
  void keepsNothingUnlessThatIsSaid() {
    KeptTraffic traffic = traffic(Duration.ZERO, 10, 1);
    ask(gate("", traffic), "alice", "/");

    assertThat(traffic.since(0)).isEmpty();
  }

  @Test
  void keepsWhatWasAskedAndWhatCameOfIt() {
    KeptTraffic traffic = traffic(HOUR, 10, 1);
    Gate gate = gate("[default]\nlimit = 1\n", traffic);
    ask(gate, "alice", "/a");
    time.advance(Duration.ofSeconds(1));
    gate.check(new Request("POST", "/b", Client.unknown().withUser("alice"), 1, Headers.none()));

    List<LoggedRequest> kept = traffic.since(0);
    assertThat(kept).hasSize(2);
    assertThat(kept.get(0).outcome()).isEqualTo(Outcome.ALLOWED);
    LoggedRequest refused = kept.get(1);
    assertThat(refused.outcome()).isEqualTo(Outcome.THROTTLED);
    assertThat(refused.rule()).isEqualTo("default");
    assertThat(refused.request().method()).isEqualTo("POST");
    assertThat(refused.request().client().id()).isEqualTo("user:alice");
    assertThat(refused.atMicros()).isEqualTo(time.nowMicros());
    assertThat(traffic.since(time.nowMicros())).hasSize(1);
  }

  @Test
  void forgetsWhatIsOldAndWhatIsTooMuch() {
    KeptTraffic traffic = traffic(HOUR, 3, 1);
    Gate gate = gate("", traffic);
    for (int i = 0; i < 5; i++) {
      ask(gate, "alice", "/" + i);
      time.advance(Duration.ofMinutes(10));
    }
    assertThat(paths(traffic)).containsExactly("/2", "/3", "/4");
    assertThat(traffic.isFull()).isTrue();
    time.advance(Duration.ofMinutes(45));
    assertThat(paths(traffic)).containsExactly("/4");
    assertThat(traffic.isFull()).isFalse();
  }

  @Test
  void aClientIsKeptWhollyOrNotAtAll() {
    KeptTraffic traffic = traffic(HOUR, 100_000, 0.25);
    Gate gate = gate("[default]\nlimit = 1000\n", traffic);
    for (int i = 0; i < 2_000; i++) {
      for (int times = 0; times < 3; times++) {
        ask(gate, "user-" + i, "/");
      }
    }
    Set<String> clients = new TreeSet<>();
    traffic.since(0).forEach(kept -> clients.add(kept.request().client().id()));

    assertThat(traffic.since(0)).hasSize(3 * clients.size());
    assertThat(clients).hasSizeBetween(350, 650);
  }

  @Test
  void forgetsAtOnceWhatIsNoLongerWanted() {
    KeptTraffic traffic = traffic(HOUR, 100, 1);
    Gate gate = gate("", traffic);
    for (int i = 0; i < 20; i++) {
      ask(gate, "alice", "/" + i);
    }
    traffic.use(new TrafficSettings(HOUR, 5, 1));
    assertThat(traffic.since(0)).hasSize(5);
    traffic.use(new TrafficSettings(Duration.ZERO, 5, 1));
    assertThat(traffic.since(0)).isEmpty();
  }

  @Test
  void keepsHeaderFieldsThatARuleAsksFor() {
    KeptTraffic traffic = traffic(HOUR, 100, 1);
    Policy asking =
        policy(
            """
            [[rule]]
            name = "beta"
            match = { header.x-beta = "1" }
            limits = ["1/s"]
            """);
    traffic.use(asking);
    Gate gate = gate("", traffic);
    gate.check(
        new Request(
            "GET",
            "/",
            Client.unknown().withUser("alice"),
            1,
            Headers.of(Map.of("X-Beta", "1", "Authorization", "Bearer s3cret"))));

    Request kept = traffic.since(0).get(0).request();
    assertThat(traffic.fields()).containsExactly("x-beta");
    assertThat(kept.headers().values("x-beta")).containsExactly("1");
    assertThat(kept.headers().values("authorization")).isEmpty();
  }
}
