package dev.weir.server.metrics;

import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.Operation;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.ClientList;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.ConfigReader;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A real gate on counters in memory, which can be taken away, and metrics that listen to it. */
final class TestGate {
  static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  final ManualTime time = TimeSource.manual(START);
  final MemoryCounterStore store = new MemoryCounterStore(time, 20_000);
  final ClientList blocks = new ClientList(time);
  final ServerMetrics metrics;
  final Gate gate;
  boolean areCountersAway;

  TestGate(String toml) {
    Policy policy = policy(toml);
    metrics = new ServerMetrics("1.2.3", policy, time);
    gate = new Gate(policy, new Counters(), blocks, List.of(metrics));
  }

  /** The counters in memory, as if they were elsewhere. */
  private final class Counters implements CounterStore {
    @Override
    public CompletionStage<Decision> apply(Operation operation) {
      return areCountersAway
          ? CompletableFuture.failedStage(new IllegalStateException("no connection"))
          : store.apply(operation);
    }

    @Override
    public void close() {}
  }

  static Policy policy(String toml) {
    return Policy.compile(ConfigReader.parse(toml, "weir.toml", Map.of()).policy());
  }

  /** Replaces the policy as the service does. */
  void reload(String toml) {
    Policy policy = policy(toml);
    metrics.reloaded(policy);
    gate.use(policy);
  }

  static Client client(String user) {
    return Client.at(Address.parse("203.0.113.7"), 64).withUser(user);
  }

  Verdict check(String path, Client client) {
    return gate.check(Request.of("GET", path, client));
  }

  void check(String path, Client client, int times) {
    for (int i = 0; i < times; i++) {
      check(path, client);
    }
  }

  Scrape scrape() {
    return new Scrape(metrics.text());
  }
}
