package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The index finds what a walk over every single step finds, for random policies and requests. */
class PolicyMatchPropertyTest {
  private static final String[] USERS = {"alice", "bob", "carol"};
  private static final String[] KEYS = {"k1", "k2"};
  private static final String[] TIERS = {"free", "pro", "gold"};
  private static final String[] METHODS = {"GET", "POST", "DELETE"};
  private static final String[] ENDPOINTS = {"e0", "e1", "e2", "*"};
  private static final String[] RANGES = {
    "10.0.0.0/8", "10.1.0.0/16", "10.1.2.3", "0.0.0.0/0", "2001:db8::/32", "::/0"
  };
  private static final String[] ADDRESSES = {"10.1.2.3", "10.1.9.9", "11.0.0.1", "2001:db8::1"};

  /** What holds for one request. */
  private record Found(List<String> enforced, List<String> shadows, @Nullable String ending) {}

  private static <T> T any(T[] values, SplittableRandom random) {
    return values[random.nextInt(values.length)];
  }

  private static Rule randomRule(int number, SplittableRandom random) {
    String name = "r" + number;
    TestRule rule =
        switch (random.nextInt(12)) {
          case 0 -> TestRule.allow(name);
          case 1 -> TestRule.block(name);
          default -> TestRule.throttle(name, (1 + random.nextInt(9)) + "/s");
        };
    rule.priority(random.nextInt(4));
    for (int conditions = random.nextInt(4); conditions > 0; conditions--) {
      addCondition(rule, random);
    }
    if (random.nextInt(6) == 0) {
      rule.shadow();
    }
    if (random.nextInt(6) == 0) {
      rule.last();
    }
    if (random.nextInt(8) == 0) {
      rule.disabled();
    }
    return rule.build();
  }

  private static void addCondition(TestRule rule, SplittableRandom random) {
    switch (random.nextInt(8)) {
      case 0 -> rule.user(any(USERS, random));
      case 1 -> rule.key(any(KEYS, random));
      case 2 -> rule.tier(any(TIERS, random));
      case 3 -> rule.method(any(METHODS, random));
      case 4 -> rule.endpoint(any(ENDPOINTS, random));
      case 5 -> rule.ip(any(RANGES, random));
      case 6 -> rule.header("x-h" + random.nextInt(2), "v" + random.nextInt(2));
      default -> rule.path(RandomPaths.pattern(random).toString());
    }
  }

  private static Policy randomPolicy(SplittableRandom random) {
    TestPolicy policy = TestPolicy.of();
    for (int i = random.nextInt(25); i >= 0; i--) {
      policy.rule(randomRule(i, random));
    }
    for (int i = 0; i < 2; i++) {
      policy.tier(TIERS[i], "9/s");
      for (int overrides = random.nextInt(3); overrides > 0; overrides--) {
        policy.override(RandomPaths.pattern(random).toString(), 5);
      }
    }
    for (int i = 0; i < 3; i++) {
      Limit limit = random.nextBoolean() ? Limit.parse("3/s") : null;
      Conditions methods = TestRule.allow("m").conditions();
      if (random.nextBoolean()) {
        methods = TestRule.allow("m").method(any(METHODS, random)).conditions();
      }
      String path = RandomPaths.pattern(random).toString();
      policy.endpoint("e" + i, methods.methods(), limit, Scope.CLIENT, path);
    }
    return (random.nextBoolean() ? policy.defaultTier("free") : policy).compile();
  }

  private static Request randomRequest(SplittableRandom random) {
    Client client =
        random.nextInt(4) == 0
            ? Client.unknown()
            : Client.at(Address.parse(any(ADDRESSES, random)), 64);
    client = random.nextBoolean() ? client.withUser(any(USERS, random)) : client;
    client = random.nextBoolean() ? client.withKey(any(KEYS, random)) : client;
    client = random.nextInt(4) == 0 ? TestOwner.withKey(client, any(KEYS, random), "77/s") : client;
    if (random.nextInt(4) == 0) {
      String[] limits = random.nextBoolean() ? new String[] {"78/s", "79/h"} : new String[0];
      Long quota = random.nextBoolean() ? 1_000L : null;
      client = TestOwner.withUser(client, any(USERS, random), quota, limits);
    }
    client = random.nextBoolean() ? client.withTier(any(TIERS, random)) : client;
    Map<String, String> fields =
        Map.of("x-h" + random.nextInt(2), "v" + random.nextInt(2), "x-other", "v0");
    String path = random.nextInt(20) == 0 ? "*" : RandomPaths.path(random);
    return new Request(any(METHODS, random), path, client, 1, Headers.of(fields));
  }

  /** Every step in order, with no index at all. */
  private static Found walked(Policy policy, Request request) {
    String endpoint = endpointOf(policy, request);
    String tier = policy.tierOf(request.client());
    List<String> enforced = new ArrayList<>();
    List<String> shadows = new ArrayList<>();
    for (Step step : policy.steps()) {
      boolean isBehindOwn = step.level == Step.Level.TIER || step.level == Step.Level.DEFAULT;
      List<String> own = isBehindOwn ? own(request.client()) : List.of();
      if (!own.isEmpty()) {
        enforced.addAll(own);
        break;
      }
      boolean isIdleDefault = step.level == Step.Level.DEFAULT && !enforced.isEmpty();
      if (isIdleDefault || !step.match.firstFailing(request, endpoint, tier).isEmpty()) {
        continue;
      }
      if (step.mode == Mode.SHADOW) {
        shadows.add(step.name);
      } else if (step.action != Action.THROTTLE) {
        return new Found(enforced, shadows, step.name);
      } else {
        enforced.add(step.name);
        if (step.isFinal) {
          break;
        }
      }
    }
    Users.User user = request.client().knownUser();
    if (user != null && user.limits().monthlyQuota() != null) {
      enforced.add("quota");
    }
    return new Found(enforced, shadows, null);
  }

  private static List<String> own(Client client) {
    List<String> own = new ArrayList<>();
    ApiKeys.ApiKey key = client.knownKey();
    if (key != null && !key.limits().limits().isEmpty()) {
      own.add("own");
    }
    Users.User user = client.knownUser();
    if (user != null && !user.limits().limits().isEmpty()) {
      own.add("own:user");
    }
    return own;
  }

  private static String endpointOf(Policy policy, Request request) {
    String best = "*";
    PathPattern bestPath = null;
    boolean bestIsForSome = false;
    for (Endpoint endpoint : policy.definition().endpoints()) {
      boolean isForSome = !endpoint.methods().isEmpty();
      for (PathPattern path : endpoint.paths()) {
        boolean holds =
            path.matches(request.path())
                && (!isForSome || endpoint.methods().contains(request.method()));
        int order = bestPath == null ? -1 : path.compareTo(bestPath);
        if (holds && (order < 0 || (order == 0 && isForSome && !bestIsForSome))) {
          best = endpoint.name();
          bestPath = path;
          bestIsForSome = isForSome;
        }
      }
    }
    return best;
  }

  @Test
  void findsWhatAWalkOverAllStepsFinds() {
    SplittableRandom random = new SplittableRandom(71);
    int endings = 0;
    int severalLimits = 0;
    for (int round = 0; round < 1_000; round++) {
      Policy policy = randomPolicy(random);
      for (int i = 0; i < 30; i++) {
        Request request = randomRequest(random);
        Found expected = walked(policy, request);
        Match match = policy.match(request);
        Step ending = match.ending;
        Found found =
            new Found(
                match.enforced.stream().map(step -> step.name).toList(),
                match.shadows.stream().map(step -> step.name).toList(),
                ending == null ? null : ending.name);

        assertThat(match.endpoint).isEqualTo(endpointOf(policy, request));
        assertThat(found).as("%s under %s", request, policy.definition()).isEqualTo(expected);
        endings += ending == null ? 0 : 1;
        severalLimits += found.enforced.size() > 1 ? 1 : 0;
      }
    }
    assertThat(endings).isGreaterThan(3_000);
    assertThat(severalLimits).isGreaterThan(3_000);
  }

  @Test
  void conditionsHoldUnlessOneFails() {
    SplittableRandom random = new SplittableRandom(72);
    for (int i = 0; i < 20_000; i++) {
      Conditions conditions = randomRule(i, random).match();
      Request request = randomRequest(random);
      String endpoint = any(ENDPOINTS, random);
      String tier = random.nextBoolean() ? any(TIERS, random) : null;

      assertThat(
              Stream.of(conditions.partsBut(""))
                  .allMatch(part -> part.holds(request, endpoint, tier)))
          .isEqualTo(conditions.firstFailing(request, endpoint, tier).isEmpty());
    }
  }

  @Test
  void manyRulesAreFoundByTheirRarestCondition() {
    TestPolicy many = TestPolicy.of();
    for (int i = 0; i < 10_000; i++) {
      many.rule(TestRule.throttle("r" + i, "1/s").method("GET").tier("free").user("u" + i).build());
    }
    Policy policy = many.compile();
    Client client = Client.unknown().withUser("u5000").withTier("free");
    Match match = policy.match(Request.of("GET", "/", client));

    assertThat(match.enforced).extracting(step -> step.name).containsExactly("r5000");
    assertThat(match.found.size()).isEqualTo(2);
  }
}
