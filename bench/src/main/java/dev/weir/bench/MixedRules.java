package dev.weir.bench;

import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Headers;
import dev.weir.policy.PolicyDefinition;
import dev.weir.policy.Request;
import dev.weir.policy.config.ConfigReader;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A policy of as many rules as wanted, of every kind in turn, and requests for it. However many
 * rules there are, a request meets about as many of them: more rules are for more users, addresses
 * and paths, not more for each.
 */
public final class MixedRules {
  private static final int KINDS = 10;
  private static final int FINAL = 1;

  private final int rules;
  private final SplittableRandom random = new SplittableRandom(42);

  public MixedRules(int rules) {
    this.rules = rules;
  }

  /** The policy as a {@code weir.toml}. */
  public String toml() {
    StringBuilder text =
        new StringBuilder(
            """
            default_tier = "free"

            [[tier]]
            name = "free"
            limit = 10_000_000
            window = "1s"
            endpoints = { "/api/*/orders/**" = 5_000_000 }

            [[tier]]
            name = "pro"
            limit = 20_000_000
            window = "1s"

            """);
    for (int rule = 0; rule < rules; rule++) {
      if (kindOf(rule) == 7) {
        text.append(
            "[[endpoint]]\nname = \"e%d\"\npaths = [\"/files/f%d/**\"]\n\n".formatted(rule, rule));
      }
      text.append(
          """
          [[rule]]
          name = "r%d"
          priority = %d
          match = { %s }
          limits = ["10000000/s"]
          final = %s

          """
              .formatted(rule, random.nextInt(1_000), condition(rule), kindOf(rule) == FINAL));
    }
    return text.toString();
  }

  private static int kindOf(int rule) {
    return rule % KINDS;
  }

  private static String condition(int rule) {
    return switch (kindOf(rule)) {
      case 0 -> "path = \"/api/v1/s%d/**\"".formatted(rule);
      case FINAL -> "path = \"/api/v2/s%d/items/{id}\", method = \"GET\"".formatted(rule);
      case 2 -> "path = \"/shop/s%d/*\", tier = \"pro\"".formatted(rule);
      case 3 -> "ip = \"%s/24\"".formatted(address(rule));
      case 4 -> "user = \"u%d\"".formatted(rule);
      case 5 -> "key = \"k%d\"".formatted(rule);
      case 6 -> "header.x-tenant = \"t%d\"".formatted(rule);
      case 7 -> "endpoint = \"e%d\"".formatted(rule);
      case 8 -> "path = \"/**/report%d\"".formatted(rule);
      default -> "path = \"/api/*/s%d/status\", method = [\"GET\", \"POST\"]".formatted(rule);
    };
  }

  private static String address(int rule) {
    return "10.%d.%d.0".formatted(rule / 256, rule % 256);
  }

  public PolicyDefinition definition() {
    return ConfigReader.parse(toml(), "mixed.toml", Map.of()).policy();
  }

  /** A request under one limit, or under three, by one of that many users. */
  Request request(int limits, int users) {
    Client client =
        Client.at(Address.parse("192.0.2.7"), 64).withUser("user-" + random.nextInt(users));
    return switch (limits) {
      case 1 -> Request.of("GET", "/api/v2/s%d/items/17".formatted(ruleOf(FINAL)), client);
      case 3 -> {
        String path = "/api/v1/s%d/a/b".formatted(ruleOf(0));
        yield Request.of("GET", path, client.withKey("k" + ruleOf(5)).withTier("pro"));
      }
      default -> throw new IllegalArgumentException("limits must be 1 or 3, got " + limits);
    };
  }

  /** A request that meets rules for its path, address, key, tenant and tier. */
  public Request request() {
    Client client =
        Client.at(Address.parse(address(ruleOf(3)).replaceFirst("0$", "7")), 64)
            .withUser("u" + random.nextInt(rules))
            .withKey("k" + ruleOf(5))
            .withTier(random.nextBoolean() ? "free" : "pro");
    Headers headers = Headers.of(Map.of("x-tenant", "t" + ruleOf(6), "accept", "*/*"));
    return new Request("GET", path(), client, 1, headers);
  }

  private String path() {
    return switch (random.nextInt(6)) {
      case 0 -> "/api/v1/s%d/a/b".formatted(ruleOf(0));
      case 1 -> "/api/v2/s%d/items/17".formatted(ruleOf(FINAL));
      case 2 -> "/shop/s%d/cart".formatted(ruleOf(2));
      case 3 -> "/files/f%d/x/y.txt".formatted(ruleOf(7));
      case 4 -> "/a/b/report%d".formatted(ruleOf(8));
      default -> "/api/v3/s%d/status".formatted(ruleOf(9));
    };
  }

  /** Any of the rules of that kind. */
  private int ruleOf(int kind) {
    return random.nextInt(Math.max(1, rules / KINDS)) * KINDS + kind;
  }
}
