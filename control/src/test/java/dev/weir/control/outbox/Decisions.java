package dev.weir.control.outbox;

import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.ClientList;
import dev.weir.policy.Gate;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.ConfigReader;
import java.util.List;
import java.util.Map;

/**
 * Real decisions by a small policy: an endpoint with a limit, one that is blocked, the rest free.
 */
public final class Decisions {
  private static final String POLICY =
      """
      [[tier]]
      name = "free"
      limit = 1000000

      [[endpoint]]
      name = "chat"
      paths = ["/chat/**"]
      limit = 3
      window = "60s"
      scope = "user"

      [[rule]]
      name = "closed"
      match = { path = "/closed/**" }
      action = "block"

      [[rule]]
      name = "open"
      match = { path = "/open/**" }
      action = "allow"
      """;

  private final Gate gate;

  /** On that clock. */
  public Decisions(TimeSource time) {
    this.gate =
        new Gate(
            Policy.compile(ConfigReader.parse(POLICY, "weir.toml", Map.of()).policy()),
            new MemoryCounterStore(time, 100_000),
            new ClientList(time),
            List.of());
  }

  /** Of a user at 192.0.2.7 in the tier free. */
  public Verdict decide(String user, String path) {
    Client client =
        Client.at(Address.parse("192.0.2.7"), 64).withUser(user).withKey("k1").withTier("free");
    return gate.check(Request.of("GET", path, client));
  }
}
