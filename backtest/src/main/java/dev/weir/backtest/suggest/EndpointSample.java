package dev.weir.backtest.suggest;

import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The clients of an endpoint that are looked at: all whose hash is below a threshold. Whether a
 * client is among them has nothing to do with what it does, so shares in the sample are those of
 * all clients, give or take chance. Each is looked at from its first request on, since the
 * threshold only ever falls.
 *
 * <p>Requests count with what the sample was worth when they came: those of a sample of half of the
 * clients twice. So nothing has to be taken back when clients are dropped.
 */
final class EndpointSample {
  private final String endpoint;
  private final ClientHash hash;
  private final Lanes lanes;
  private final RefusalSums sums;
  private final Load load = new Load();
  private final Map<String, SampledClient> clients = new HashMap<>();
  private long threshold = ClientHash.PRIME;
  private long oneIn = 1;
  private long requests;

  EndpointSample(String endpoint, ClientHash hash, Lanes lanes) {
    this.endpoint = endpoint;
    this.hash = hash;
    this.lanes = lanes;
    this.sums = new RefusalSums(lanes.all());
  }

  String endpoint() {
    return endpoint;
  }

  RefusalSums sums() {
    return sums;
  }

  Load load() {
    return load;
  }

  Collection<SampledClient> clients() {
    return clients.values();
  }

  long requests() {
    return requests;
  }

  long oneIn() {
    return oneIn;
  }

  /** Whose request it is; null if that client is not looked at. */
  @Nullable SampledClient find(String client) {
    requests++;
    SampledClient known = clients.get(client);
    return known == null ? newClient(client) : known;
  }

  private @Nullable SampledClient newClient(String client) {
    long hashed = hash.of(client);
    if (hashed >= threshold) {
      return null;
    }
    SampledClient added = new SampledClient(lanes.newKey(), hashed, lanes.all().size());
    clients.put(client, added);
    return added;
  }

  /** Halves the threshold, which drops about half of the clients. */
  void thin() {
    threshold /= 2;
    oneIn *= 2;
    sums.doubleWeight();
    load.halve();
    for (Iterator<SampledClient> all = clients.values().iterator(); all.hasNext(); ) {
      SampledClient client = all.next();
      if (client.hash() >= threshold) {
        lanes.forget(client);
        all.remove();
      }
    }
  }

  /** Finds out how many counters are in use, now that some clients have come to rest. */
  void recount(long nowMicros) {
    long counters = 0;
    for (SampledClient client : clients.values()) {
      counters += lanes.counters(client, nowMicros);
    }
    load.setCounters(counters);
  }
}
