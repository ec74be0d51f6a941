package dev.weir.backtest;

import dev.weir.MemoryCounterStore;
import dev.weir.policy.Address;
import dev.weir.policy.Cause;
import dev.weir.policy.Client;
import dev.weir.policy.ClientList;
import dev.weir.policy.Gate;
import dev.weir.policy.GateListener;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.Config;
import java.util.List;

/**
 * One policy and counters of its own, which start empty, on a clock that the requests of a log
 * move. For one thread.
 */
public final class Replay {
  private final ReplayClock clock = new ReplayClock();
  private final Policy policy;
  private final Gate gate;
  private final int ipv6Prefix;

  /**
   * The policy of that configuration; of the rest only the bound on keys and prefixes matter.
   *
   * @param told who is told of every decision
   */
  public Replay(Config config, GateListener... told) {
    this.policy = Policy.compile(config.policy());
    MemoryCounterStore store = MemoryCounterStore.compact(clock, config.counters().maxKeys());
    this.gate = new Gate(policy, store, new ClientList(), List.of(told));
    this.ipv6Prefix = config.client().ipv6Prefix();
  }

  /** The policy. */
  public Policy policy() {
    return policy;
  }

  /** How many bits of IPv6 clients tell them apart. */
  int ipv6Prefix() {
    return ipv6Prefix;
  }

  /** Decides a request at its time, and counts it; no earlier than the one before. */
  public Verdict decide(long atMicros, Request request) {
    clock.moveTo(atMicros);
    return gate.check(request);
  }

  /** As {@link #decide}, of clients whose networks were cut by another length. */
  Verdict decideAnew(long atMicros, Request request) {
    Client client = request.client();
    Address address = client.address();
    if (address == null || address.isV4()) {
      return decide(atMicros, request);
    }
    Client other = Client.at(address, ipv6Prefix);
    other = client.user() == null ? other : other.withUser(client.user());
    other = client.key() == null ? other : other.withKey(client.key());
    other = client.tier() == null ? other : other.withTier(client.tier());
    return decide(atMicros, request.withClient(other));
  }

  /** The endpoint that a request belongs to. Counts nothing. */
  String endpointOf(Request request) {
    return peek(request).endpoint();
  }

  /** Whether the policy itself names the client as exempt. Counts nothing. */
  boolean exempts(Request request) {
    return peek(request).cause() == Cause.EXEMPT;
  }

  private Verdict peek(Request request) {
    return gate.peekAsync(request).toCompletableFuture().join();
  }
}
