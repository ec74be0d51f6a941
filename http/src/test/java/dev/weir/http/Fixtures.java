package dev.weir.http;

import dev.weir.Limit;
import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.policy.Action;
import dev.weir.policy.Cidr;
import dev.weir.policy.ClientSet;
import dev.weir.policy.FailureMode;
import dev.weir.policy.Gate;
import dev.weir.policy.Headers;
import dev.weir.policy.Policy;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Rule;
import dev.weir.policy.config.ClientSettings;
import dev.weir.policy.config.ResponseSettings;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** What many tests begin with. */
final class Fixtures {
  private Fixtures() {}

  static final String SECRET = "correct horse battery staple, twice over and then some more of it";

  /** Trusts 10.0.0.0/8 and a few others. */
  static ClientSettings settings() {
    return settings("", "");
  }

  static ClientSettings settings(String secret, String jwks) {
    return new ClientSettings(trusted(), 1, 64, "X-API-Key", "user_id", "tier", secret, jwks);
  }

  static List<Cidr> trusted() {
    return Stream.of("10.0.0.0/8", "2001:db8:ffff::/48").map(Cidr::parse).toList();
  }

  static ResponseSettings responses() {
    return new ResponseSettings(
        Set.of(ResponseSettings.HeaderFamily.values()), "X-RateLimit-", ResponseSettings.Body.JSON);
  }

  static ResponseSettings problems() {
    return new ResponseSettings(
        Set.of(ResponseSettings.HeaderFamily.values()),
        "X-RateLimit-",
        ResponseSettings.Body.PROBLEM);
  }

  static PolicyDefinition definition(Limit defaultLimit, Rule... rules) {
    return new PolicyDefinition(
        true,
        null,
        defaultLimit,
        List.of(),
        List.of(),
        List.of(rules),
        null,
        ClientSet.empty(),
        Action.BLOCK,
        FailureMode.OPEN,
        1);
  }

  static Gate gate(ManualTime time, PolicyDefinition definition) {
    return new Gate(Policy.compile(definition), new MemoryCounterStore(time, 100_000));
  }

  /** Header fields from names and values in turn; a name may come several times. */
  static Headers headers(String... namesAndValues) {
    List<String> all = Arrays.asList(namesAndValues);
    return name ->
        Stream.iterate(0, i -> i < all.size(), i -> i + 2)
            .filter(i -> all.get(i).toLowerCase(Locale.ROOT).equals(name))
            .map(i -> all.get(i + 1))
            .toList();
  }

  static HttpRequest get(String peer, String... namesAndValues) {
    return new HttpRequest("GET", "/", peer, headers(namesAndValues));
  }
}
