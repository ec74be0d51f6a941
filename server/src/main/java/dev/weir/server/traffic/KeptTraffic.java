package dev.weir.server.traffic;

import dev.weir.TimeSource;
import dev.weir.backtest.LoggedRequest;
import dev.weir.policy.Cause;
import dev.weir.policy.Client;
import dev.weir.policy.GateListener;
import dev.weir.policy.Headers;
import dev.weir.policy.Outcome;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Rule;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.TrafficSettings;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The requests of the last while, in memory, if the settings want that. As a listener of the gate
 * it hears of all of them, and keeps those of some clients wholly and those of the others not at
 * all: what a limit does to a client can only be seen on all that it asks. Of header fields it
 * keeps those that a rule of the policy asks for. Thread-safe.
 */
public final class KeptTraffic implements GateListener {
  private static final double SHARES = 0x1p53;

  private final TimeSource time;
  private final long seed = new SecureRandom().nextLong();
  private final ArrayDeque<Kept> requests = new ArrayDeque<>();
  private volatile TrafficSettings settings;
  private volatile Set<String> fields = Set.of();

  /** A request as it is kept, with nothing in it that belongs to a connection. */
  private record Kept(
      long atMicros,
      String method,
      String path,
      Client client,
      long cost,
      @Nullable Map<String, List<String>> headers,
      Outcome outcome,
      Cause cause,
      @Nullable String rule) {

    LoggedRequest logged() {
      Map<String, List<String>> kept = headers;
      Headers all = kept == null ? Headers.none() : name -> kept.getOrDefault(name, List.of());
      return new LoggedRequest(
          atMicros, new Request(method, path, client, cost, all), outcome, cause, rule);
    }
  }

  /** Keeps what the settings say, from now on. */
  public KeptTraffic(TrafficSettings settings, Policy policy, TimeSource time) {
    this.time = time;
    this.settings = settings;
    use(policy);
  }

  /** Keeps what these settings say, from now on; what they do not want any more is forgotten. */
  public void use(TrafficSettings next) {
    settings = next;
    synchronized (requests) {
      forgetOld(next);
      requests.removeIf(kept -> !isChosen(kept.client, next));
    }
  }

  /** From now on the rules of that policy ask for header fields. */
  public void use(Policy policy) {
    Set<String> asked = new TreeSet<>();
    for (Rule rule : policy.definition().rules()) {
      asked.addAll(rule.match().headers().keySet());
    }
    fields = Set.copyOf(asked);
  }

  /** What is kept. */
  public TrafficSettings settings() {
    return settings;
  }

  /** The header fields that are kept, in lower case. */
  public Set<String> fields() {
    return fields;
  }

  @Override
  public void decided(Verdict verdict, long latencyNanos) {
    TrafficSettings now = settings;
    Request request = verdict.request();
    if (!now.isOn() || !isChosen(request.client(), now)) {
      return;
    }
    long atMicros = verdict.atMicros();
    Kept kept =
        new Kept(
            atMicros > 0 ? atMicros : time.nowMicros(),
            request.method(),
            request.path(),
            request.client(),
            request.cost(),
            asked(request.headers()),
            verdict.outcome(),
            verdict.cause(),
            verdict.rule());
    synchronized (requests) {
      requests.add(kept);
      forgetOld(now);
    }
  }

  private @Nullable Map<String, List<String>> asked(Headers headers) {
    Set<String> names = fields;
    if (names.isEmpty()) {
      return null;
    }
    Map<String, List<String>> kept = new HashMap<>();
    for (String name : names) {
      List<String> values = headers.values(name);
      if (!values.isEmpty()) {
        kept.put(name, List.copyOf(values));
      }
    }
    return kept.isEmpty() ? null : kept;
  }

  /** The oldest are first, but for what several threads decide at once. */
  private void forgetOld(TrafficSettings now) {
    long oldest = time.nowMicros() - now.keep().toNanos() / 1_000;
    Kept first = requests.peekFirst();
    while (first != null
        && (requests.size() > now.maxRequests() || first.atMicros < oldest || !now.isOn())) {
      requests.removeFirst();
      first = requests.peekFirst();
    }
  }

  /** By a hash that nobody outside can foresee, so that nobody can choose to be left out. */
  private boolean isChosen(Client client, TrafficSettings now) {
    if (now.clients() >= 1) {
      return true;
    }
    String id = client.id();
    long hash = seed;
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * 0x100000001b3L;
    }
    hash = (hash ^ hash >>> 32) * 0x9e3779b97f4a7c15L;
    hash ^= hash >>> 29;
    return (hash >>> 11) / SHARES < now.clients();
  }

  /** The requests since that instant, in the order of their times. */
  public List<LoggedRequest> since(long fromMicros) {
    List<Kept> found = new ArrayList<>();
    synchronized (requests) {
      forgetOld(settings);
      for (Kept kept : requests) {
        if (kept.atMicros >= fromMicros) {
          found.add(kept);
        }
      }
    }
    return found.stream()
        .sorted(Comparator.comparingLong(Kept::atMicros))
        .map(Kept::logged)
        .toList();
  }

  /** Whether as many are kept as may be, so that some have gone before their time. */
  public boolean isFull() {
    synchronized (requests) {
      return requests.size() >= settings.maxRequests();
    }
  }
}
