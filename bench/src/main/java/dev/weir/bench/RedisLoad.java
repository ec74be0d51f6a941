package dev.weir.bench;

import com.google.gson.Gson;
import dev.weir.testkit.redis.RedisServer;
import dev.weir.testkit.redis.RespClient;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * Asks one contender on a Redis server of its own, and prints what came of it as JSON. Runs in a
 * JVM of its own.
 *
 * <p>Arguments: the contender, the number of clients, and how long to ask, see {@link Pace}.
 */
final class RedisLoad {

  /** How long to ask. */
  enum Pace {
    FULL(3_000, 300, 2_000),
    QUICK(200, 50, 200),
    SMOKE(1, 1, 20);

    final int warmUpMillis;
    final int settleMillis;
    final int measureMillis;

    Pace(int warmUpMillis, int settleMillis, int measureMillis) {
      this.warmUpMillis = warmUpMillis;
      this.settleMillis = settleMillis;
      this.measureMillis = measureMillis;
    }
  }

  static final int[] IN_FLIGHT = {64, 256, 1_024};

  /** Where contenders are compared. */
  static final int USUAL_IN_FLIGHT = 256;

  private static final int CALM_PER_SECOND = 1_000;
  private static final int DRAWS = 1 << 20;

  /** More than any client can use up. */
  private static final long ENDLESS_BURST = 1_000_000;

  private static final String ORDINARY_CLIENT = "user:alice-1234";
  private static final long ORDINARY_BURST = 100;
  private static final int ORDINARY_REQUESTS = 10;

  private final RedisContender contender;
  private final RedisLimiter limiter;
  private final RespClient server;
  private final Pace pace;
  private final String[] draws;

  private RedisLoad(
      RedisContender contender, RedisLimiter limiter, RespClient server, Pace pace, String[] keys) {
    this.contender = contender;
    this.limiter = limiter;
    this.server = server;
    this.pace = pace;
    this.draws = KeyOrder.UNIFORM.of(keys, DRAWS);
  }

  public static void main(String[] args) throws InterruptedException {
    RedisRun run =
        run(RedisContender.valueOf(args[0]), Integer.parseInt(args[1]), Pace.valueOf(args[2]));
    System.out.println(new Gson().toJson(run));
    // Clients may leave threads behind.
    System.exit(0);
  }

  static RedisRun run(RedisContender contender, int keys, Pace pace) throws InterruptedException {
    try (RedisServer redis = RedisServer.start();
        RespClient server = redis.client()) {
      RedisRun.Memory memory = memory(contender, redis.uri(), server);
      server.call("FLUSHALL");
      try (RedisLimiter limiter = contender.open(redis.uri(), ENDLESS_BURST)) {
        String[] clients = KeyOrder.keys(keys);
        RedisLoad load = new RedisLoad(contender, limiter, server, pace, clients);
        load.fill(clients);
        load.ask(USUAL_IN_FLIGHT, pace.warmUpMillis);
        List<RedisRun.Load> loads = new ArrayList<>();
        for (int inFlight : IN_FLIGHT) {
          load.ask(inFlight, pace.settleMillis);
          loads.add(load.measure(inFlight));
        }
        return new RedisRun(contender, version(server), keys, loads, load.calm(), memory);
      }
    }
  }

  /** Lets every client ask once. */
  private void fill(String[] clients) throws InterruptedException {
    requireAll(forAll(limiter::prepare, clients), clients.length);
    requireAll(forAll(limiter::ask, clients), clients.length);
  }

  private static Tally forAll(Crowd.Request request, String[] clients) throws InterruptedException {
    return Crowd.start(
            request,
            true,
            USUAL_IN_FLIGHT,
            first ->
                IntStream.iterate(first, i -> i < clients.length, i -> i + USUAL_IN_FLIGHT)
                    .mapToObj(i -> clients[i])
                    .iterator())
        .await();
  }

  private static void requireAll(Tally tally, int count) {
    if (tally.count() != count || tally.failed() + tally.wrong() > 0) {
      throw new IllegalStateException(
          "expected %d first requests to be allowed, got %d, of which %d failed and %d were refused"
              .formatted(count, tally.count(), tally.failed(), tally.wrong()));
    }
  }

  private RedisRun.Load measure(int inFlight) throws InterruptedException {
    ServerUse before = ServerUse.of(server);
    Tally tally = ask(inFlight, pace.measureMillis);
    return RedisRun.Load.of(inFlight, tally, ServerUse.of(server).since(before));
  }

  private Tally ask(int inFlight, int millis) throws InterruptedException {
    AtomicBoolean isOver = new AtomicBoolean();
    Crowd crowd =
        Crowd.start(
            limiter::ask,
            contender.isAllowed(),
            inFlight,
            client -> from(client * (draws.length / inFlight), isOver));
    TimeUnit.MILLISECONDS.sleep(millis);
    isOver.set(true);
    return crowd.await();
  }

  private RedisRun.Load calm() throws InterruptedException {
    ServerUse before = ServerUse.of(server);
    int count = CALM_PER_SECOND * pace.measureMillis / 1_000;
    Iterator<String> keys = from(0, new AtomicBoolean());
    Tally tally = Crowd.oneByOne(limiter::ask, contender.isAllowed(), CALM_PER_SECOND, count, keys);
    return RedisRun.Load.of(1, tally, ServerUse.of(server).since(before));
  }

  /** The draws from there on, round and round until it is over, but at least one. */
  private Iterator<String> from(int start, AtomicBoolean isOver) {
    return new Iterator<>() {
      private int next = start;

      @Override
      public boolean hasNext() {
        return next == start || !isOver.get();
      }

      @Override
      public String next() {
        return draws[next++ & (DRAWS - 1)];
      }
    };
  }

  private static RedisRun.Memory memory(RedisContender contender, String uri, RespClient server)
      throws InterruptedException {
    try (RedisLimiter limiter = contender.open(uri, ORDINARY_BURST)) {
      String[] client = {ORDINARY_CLIENT};
      requireAll(forAll(limiter::prepare, client), 1);
      requireAll(forAll(limiter::ask, client), 1);
      for (int i = 1; i < ORDINARY_REQUESTS; i++) {
        forAll(limiter::ask, client);
      }
      // Without the marker by which a store of Weir sees whether its counters are there.
      List<?> keys =
          server.list("KEYS", "*").stream()
              .filter(key -> !key.toString().startsWith("ratelimit:{weir}#"))
              .toList();
      long bytes = 0;
      for (Object key : keys) {
        bytes += server.number("MEMORY", "USAGE", key.toString());
      }
      return new RedisRun.Memory(keys.size(), bytes);
    }
  }

  private static String version(RespClient server) {
    return server
        .text("INFO", "server")
        .lines()
        .filter(line -> line.startsWith("redis_version:"))
        .map(line -> "Redis " + line.substring(line.indexOf(':') + 1).strip())
        .findFirst()
        .orElse("unknown server");
  }
}
