package dev.weir.control.configuration;

import dev.weir.Limit;
import dev.weir.policy.Action;
import dev.weir.policy.Cidr;
import dev.weir.policy.Conditions;
import dev.weir.policy.Endpoint;
import dev.weir.policy.FailureMode;
import dev.weir.policy.Mode;
import dev.weir.policy.PathPattern;
import dev.weir.policy.Refusal;
import dev.weir.policy.Rule;
import dev.weir.policy.Scope;
import dev.weir.policy.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Rules, tiers and endpoints at random. */
final class RandomParts {
  private static final String[] LIMITS = {
    "100/s",
    "7/m",
    "1000/h",
    "5/d",
    "100/60s",
    "3/10m",
    "10/s burst 20",
    "20/m burst 20",
    "1000/h burst 20",
    "9/s sliding_window",
    "9/m sliding_window",
    "4/h sliding_log",
    "8/d fixed_window",
    "8/week fixed_window",
    "8/month fixed_window zone Europe/Berlin",
    "6/60s fixed_window align first_request",
    "1000000000000/d",
    "250/250ms"
  };
  private static final String[] TIERS = {"free", "pro", "Gold tier", "ü", "\"quoted\" \\ text"};
  private static final String[] PATHS = {"/", "/a/*", "/a/**", "/**/b/{id}", "/é"};
  private static final String[] METHODS = {"GET", "POST", "DELETE", "M-SEARCH"};
  private static final String[] RANGES = {
    "10.0.0.0/8", "10.1.2.3", "0.0.0.0/0", "2001:db8::/32", "::1", "::/0"
  };
  private static final String[] USERS = {"alice", "bob's", "a, b", "line\nbreak", "emoji 🙂"};
  private static final String[] FIELDS = {"host", "x-a", "x.dotted", "content-type"};

  private final SplittableRandom random;
  private int names;

  RandomParts(long seed) {
    this.random = new SplittableRandom(seed);
  }

  Rule rule() {
    Action action = random.nextInt(4) == 0 ? any(Action.values()) : Action.THROTTLE;
    return new Rule(
        "rule-%d.x_Y".formatted(names++),
        random.nextInt(-1_000_000, 1_000_001),
        conditions(),
        action == Action.THROTTLE ? limits() : List.of(),
        any(Scope.values()),
        action,
        random.nextBoolean(),
        any(Mode.values()),
        random.nextBoolean() ? null : any(FailureMode.values()),
        refusal(),
        random.nextInt(5) > 0);
  }

  private Conditions conditions() {
    SortedMap<String, SortedSet<String>> headers = new TreeMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      headers.put(any(FIELDS), new TreeSet<>(some(USERS)));
    }
    return new Conditions(
        new TreeSet<>(some(TIERS)),
        random.nextInt(3) == 0 ? new TreeSet<>(List.of("*")) : new TreeSet<>(),
        some(PATHS).stream().map(PathPattern::parse).toList(),
        new TreeSet<>(some(METHODS)),
        some(RANGES).stream().map(Cidr::parse).toList(),
        new TreeSet<>(some(USERS)),
        new TreeSet<>(some(USERS)),
        headers);
  }

  private List<Limit> limits() {
    List<Limit> limits = new ArrayList<>();
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      limits.add(Limit.parse(any(LIMITS)));
    }
    return limits;
  }

  private Refusal refusal() {
    return new Refusal(
        random.nextBoolean() ? null : (Integer) random.nextInt(400, 600),
        random.nextBoolean() ? null : any(USERS),
        random.nextBoolean() ? null : Duration.ofSeconds(random.nextInt(1, 100_000)));
  }

  Tier tier() {
    SortedMap<PathPattern, Long> overrides = new TreeMap<>();
    some(PATHS).forEach(path -> overrides.put(PathPattern.parse(path), random.nextLong(1, 999)));
    return new Tier("tier_" + names++, Limit.parse(any(LIMITS)), overrides);
  }

  Endpoint endpoint() {
    List<String> paths = new ArrayList<>(List.of("/always/" + names));
    paths.addAll(some(PATHS));
    @Nullable Limit limit = random.nextBoolean() ? null : Limit.parse(any(LIMITS));
    return new Endpoint(
        "endpoint-" + names++,
        paths.stream().map(PathPattern::parse).toList(),
        new TreeSet<>(some(METHODS)),
        limit,
        any(Scope.values()));
  }

  private <T> T any(T[] values) {
    return values[random.nextInt(values.length)];
  }

  /** Often none, sometimes one, sometimes several. */
  private List<String> some(String[] values) {
    List<String> some = new ArrayList<>();
    for (int i = Math.max(0, random.nextInt(6) - 2); i > 0; i--) {
      String value = any(values);
      if (!some.contains(value)) {
        some.add(value);
      }
    }
    return some;
  }
}
