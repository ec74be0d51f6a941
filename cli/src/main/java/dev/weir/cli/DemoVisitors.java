package dev.weir.cli;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** Who comes to the demo. The same seed sends the same requests in the same steps. */
final class DemoVisitors {
  /** A user whom the operators have blocked. */
  static final String BLOCKED_USER = "mallory";

  /** A user who comes with API keys. */
  static final String KEY_USER = "build-bot";

  /** Who tries passwords. */
  static final String ATTACKER = "203.0.113.66";

  private static final String CRAWLER = "192.0.2.10";
  private static final String MONITOR = "100.64.9.9";
  private static final int VICTIMS = 1_000;
  private static final int SCRAPED = 100_000;
  private static final double DAY_MICROS = 300_000_000;
  private static final long PAUSE_MICROS = 30_000_000;

  private final DemoUsers users = new DemoUsers();
  private final double rate;
  private final SplittableRandom random;

  private DemoVisitors(double rate, long seed) {
    this.rate = rate;
    this.random = new SplittableRandom(seed);
  }

  /**
   * All of them.
   *
   * @param rate requests a second, about
   * @param keys ids of the API keys of {@link #KEY_USER}
   */
  static List<DemoVisitor> all(double rate, long seed, List<String> keys) {
    DemoVisitors visitors = new DemoVisitors(rate, seed);
    return List.of(
        visitors.crowd(0.58),
        visitors.jobs(0.08),
        visitors.steady(0.05, dice -> keyed(keys, dice)),
        visitors.steady(0.09, DemoVisitors::attack),
        visitors.steady(0.12, DemoVisitors::scrape),
        new PoliteVisitor(visitors.steady(0.04, DemoVisitors::crawl)),
        visitors.steady(0.03, DemoVisitors::blocked),
        visitors.steady(0.01, DemoVisitors::monitor));
  }

  private DemoVisitor steady(double share, Function<RandomGenerator, DemoRequest> next) {
    return new RandomVisitor(now -> rate * share, random.split(), next);
  }

  /** More by day than by night; a day takes five minutes. */
  private DemoVisitor crowd(double share) {
    return new RandomVisitor(
        now -> rate * share * (1 + 0.5 * Math.sin(2 * Math.PI * now / DAY_MICROS)),
        random.split(),
        this::user);
  }

  private DemoVisitor jobs(double share) {
    double perBurst = rate * share * PAUSE_MICROS / 1_000_000;
    return new BurstVisitor(
        perBurst,
        PAUSE_MICROS,
        random.split(),
        dice -> of(1 + dice.nextInt(9), "GET", "/api/v1/search"));
  }

  private DemoRequest user(RandomGenerator dice) {
    int rank = users.next(dice);
    int page = dice.nextInt(100);
    if (page < 48) {
      return of(rank, "GET", "/api/v1/search");
    }
    if (page < 74) {
      return of(rank, "POST", "/api/v1/chat");
    }
    if (page < 90) {
      return of(rank, "GET", "/api/v1/items/" + dice.nextInt(1_000));
    }
    if (page < 94) {
      return of(rank, "POST", "/api/v1/upload");
    }
    if (page < 97) {
      return of(rank, "POST", "/login");
    }
    return of(rank, "GET", page < 99 ? "/api/v0/items" : "/status");
  }

  private static DemoRequest of(int rank, String method, String path) {
    return DemoRequest.from(DemoUsers.ip(rank), method, path)
        .by(DemoUsers.name(rank))
        .of(DemoUsers.tier(rank));
  }

  private static DemoRequest keyed(List<String> keys, RandomGenerator dice) {
    DemoRequest request = DemoRequest.from("100.64.8.8", "GET", "/api/v1/search").by(KEY_USER);
    return keys.isEmpty() ? request : request.with(keys.get(dice.nextInt(keys.size())));
  }

  /** From one address, for another user each time. */
  private static DemoRequest attack(RandomGenerator dice) {
    return DemoRequest.from(ATTACKER, "POST", "/login").by("victim-" + dice.nextInt(VICTIMS));
  }

  /** From all over a network, so that no single address stands out. */
  private static DemoRequest scrape(RandomGenerator dice) {
    return DemoRequest.from(
        "198.51.100." + (1 + dice.nextInt(254)), "GET", "/api/v1/items/" + dice.nextInt(SCRAPED));
  }

  private static DemoRequest crawl(RandomGenerator dice) {
    return DemoRequest.from(CRAWLER, "GET", "/api/v1/items/" + dice.nextInt(SCRAPED));
  }

  private static DemoRequest blocked(RandomGenerator dice) {
    return DemoRequest.from("203.0.113.9", dice.nextBoolean() ? "GET" : "POST", "/api/v1/chat")
        .by(BLOCKED_USER);
  }

  private static DemoRequest monitor(RandomGenerator dice) {
    return DemoRequest.from(MONITOR, "GET", "/api/v1/items/" + dice.nextInt(10)).by("monitor");
  }
}
