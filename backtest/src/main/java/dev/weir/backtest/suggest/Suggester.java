package dev.weir.backtest.suggest;

import dev.weir.policy.GateListener;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Puts every request that limits have a say in to many other limits, each counted for the clients
 * of an endpoint, and finds those that would have refused little. For one thread.
 *
 * <p>Its memory is bounded: of an endpoint with very many clients only a sample is looked at.
 */
public final class Suggester implements GateListener {
  /** How many clients are looked at, at all endpoints together. */
  static final int MOST_CLIENTS = 50_000;

  /** How much memory their counters may take, in words of 8 bytes. */
  static final long MOST_WORDS = 1L << 24;

  private static final int REQUESTS_TO_CHECK = 256;

  /** A sample that takes so few clients is not made smaller. */
  private static final int FEWEST_CLIENTS = 64;

  private final Allowance allowance;
  private final int mostClients;
  private final long mostWords;
  private final ClientHash hash;
  private final Lanes lanes;
  private final Map<String, EndpointSample> samples = new HashMap<>();
  private int clients;
  private int unchecked;
  private long nowMicros;

  /** Suggests limits that refuse at most that share. */
  public Suggester(Allowance allowance) {
    this(allowance, MOST_CLIENTS, MOST_WORDS, new SecureRandom());
  }

  Suggester(Allowance allowance, int mostClients, long mostWords, RandomGenerator random) {
    this.allowance = allowance;
    this.mostClients = mostClients;
    this.mostWords = mostWords;
    this.hash = new ClientHash(random);
    this.lanes = new Lanes(mostClients);
  }

  /** Takes requests as the gate of the policy that is tried decides them. */
  @Override
  public void decided(Verdict verdict, long latencyNanos) {
    if (verdict.decisive() != null) {
      Request request = verdict.request();
      accept(verdict.atMicros(), verdict.endpoint(), request.client().id(), request.cost());
    }
  }

  /** A request; one that is earlier than the one before counts at its time. */
  void accept(long atMicros, String endpoint, String client, long cost) {
    nowMicros = Math.max(nowMicros, atMicros);
    EndpointSample sample = sampleOf(endpoint);
    int before = sample.clients().size();
    SampledClient sampled = sample.find(client);
    if (sampled == null) {
      return;
    }
    sample.sums().addRequest();
    lanes.add(sample, sampled, nowMicros, cost);
    clients += sample.clients().size() - before;
    if (clients > mostClients || ++unchecked == REQUESTS_TO_CHECK) {
      unchecked = 0;
      keepWithinBounds();
    }
  }

  private EndpointSample sampleOf(String endpoint) {
    EndpointSample known = samples.get(endpoint);
    return known == null
        ? samples.computeIfAbsent(endpoint, name -> new EndpointSample(name, hash, lanes))
        : known;
  }

  private void keepWithinBounds() {
    while (clients > mostClients) {
      thin(largest(Comparator.comparingInt(sample -> sample.clients().size())));
    }
    if (words() <= mostWords) {
      return;
    }
    samples.values().forEach(sample -> sample.recount(nowMicros));
    // Some way below the bound, so that it is not at once time to recount again.
    while (words() > mostWords - mostWords / 8) {
      EndpointSample heaviest = largest(Comparator.comparingLong(sample -> sample.load().words()));
      if (heaviest.clients().size() <= FEWEST_CLIENTS) {
        return;
      }
      thin(heaviest);
    }
  }

  /** How much memory the counters take, about. */
  long words() {
    return samples.values().stream().mapToLong(sample -> sample.load().words()).sum();
  }

  private EndpointSample largest(Comparator<EndpointSample> order) {
    return samples.values().stream()
        .max(order.thenComparing(EndpointSample::endpoint))
        .orElseThrow();
  }

  private void thin(EndpointSample sample) {
    lanes.run();
    clients -= sample.clients().size();
    sample.thin();
    clients += sample.clients().size();
  }

  /** What was found so far. */
  public Suggestions suggestions() {
    lanes.run();
    List<Suggestions.OfEndpoint> endpoints =
        samples.values().stream()
            .sorted(
                Comparator.comparingLong(EndpointSample::requests)
                    .reversed()
                    .thenComparing(EndpointSample::endpoint))
            .map(sample -> new Curves(sample, lanes.all(), allowance).suggestions())
            .toList();
    return new Suggestions(allowance, endpoints);
  }
}
