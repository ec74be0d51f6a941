package dev.weir.redis;

import dev.weir.CounterStore;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.ClientList;
import dev.weir.policy.FailureMode;
import dev.weir.policy.Gate;
import dev.weir.policy.GateListener;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.ConfigReader;
import dev.weir.policy.config.EventSettings;
import dev.weir.policy.config.EventType;
import dev.weir.policy.event.EventLog;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A gate with one endpoint for each failure mode, one of four instances, and what it says of
 * failures: to a listener, and as events in a file.
 */
final class ThreeModes implements AutoCloseable {
  private static final Client SOMEBODY = Client.at(Address.parse("10.1.2.3"), 64);

  private final Queue<RedisStoreException> failures = new ConcurrentLinkedQueue<>();
  private final EventLog events;
  private final Gate gate;

  ThreeModes(CounterStore store, String limit, Path eventFile) {
    events =
        new EventLog(
            new EventSettings(Set.of(EventType.BACKEND_ERROR), 1, eventFile.toString()),
            TimeSource.system(),
            "one-of-four",
            "here");
    gate = new Gate(policy(limit), store, new ClientList(), List.of(events, new Failed()));
  }

  private final class Failed implements GateListener {
    @Override
    public void decided(Verdict verdict, long latencyNanos) {}

    @Override
    public void failed(Request request, Throwable failure) {
      failures.add((RedisStoreException) failure);
    }
  }

  private static Policy policy(String limit) {
    StringBuilder toml = new StringBuilder("[counters]\nlocal_nodes = 4\n");
    for (FailureMode mode : FailureMode.values()) {
      toml.append(
          """
          [[endpoint]]
          name = "%1$s"
          paths = ["/%1$s"]

          [[rule]]
          name = "%1$s"
          match = { endpoint = "%1$s" }
          limits = ["%2$s"]
          failure_mode = "%1$s"
          final = true

          """
              .formatted(mode, limit));
    }
    return Policy.compile(
        ConfigReader.parse(toml.toString(), "three-modes.toml", Map.of()).policy());
  }

  /** Waits for the verdict on a request of that user, to the endpoint with that mode. */
  Verdict check(FailureMode mode, String user) {
    return gate.check(request(mode, user));
  }

  /** The same without waiting. */
  CompletionStage<Verdict> ask(FailureMode mode, String user) {
    return gate.checkAsync(request(mode, user));
  }

  private static Request request(FailureMode mode, String user) {
    return Request.of("GET", "/" + mode, SOMEBODY.withUser(user));
  }

  /** What the listener was told so far. */
  List<RedisStoreException> failures() {
    return List.copyOf(failures);
  }

  /** Writes the events that are due. */
  @Override
  public void close() {
    events.close();
  }
}
