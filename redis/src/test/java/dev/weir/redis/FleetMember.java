package dev.weir.redis;

import dev.weir.Counter;
import dev.weir.CounterStore;
import dev.weir.Decision;
import dev.weir.FixedWindow;
import dev.weir.Limit;
import dev.weir.Operation;
import dev.weir.Period;
import dev.weir.TokenBucket;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One JVM of a fleet, with many stores: opens them, says how many threads they have, waits for a
 * line, asks, and says how many requests failed and how many of each key were allowed.
 */
final class FleetMember {
  /** So long that nothing comes back while a test runs. */
  private static final Period.Span PERIOD = Period.Span.of(Duration.ofDays(30));

  /** So many that stores send batches. */
  private static final int UNANSWERED_PER_STORE = 16;

  /** How a member opens its stores. */
  enum Opening {
    SERVER {
      @Override
      RedisTopology topology(String uri) {
        return new RedisTopology.Single(uri);
      }
    },
    /** With the URIs of all nodes, between commas. */
    CLUSTER {
      @Override
      RedisTopology topology(String uris) {
        return new RedisTopology.Cluster(List.of(uris.split(",", -1)));
      }
    };

    /** A fleet on two cores may be slow, and no request is to fail. */
    private static final RedisOptions OPTIONS =
        RedisOptions.defaults()
            .withCommandTimeout(Duration.ofSeconds(60))
            .withConnectTimeout(Duration.ofSeconds(60));

    abstract RedisTopology topology(String uri);

    CounterStore open(String uri) {
      RedisCounterStore store = RedisCounterStore.open(topology(uri), OPTIONS);
      Eventually.await().until(store::isReachable);
      return store;
    }
  }

  private final List<CounterStore> stores = new ArrayList<>();
  private final AtomicIntegerArray allowed;
  private final AtomicInteger failed = new AtomicInteger();
  private final Semaphore unanswered;

  private FleetMember(int keys, int stores) {
    this.allowed = new AtomicIntegerArray(keys);
    this.unanswered = new Semaphore(stores * UNANSWERED_PER_STORE);
  }

  /** How many of that many requests for a key its limit allows: some tenth to seven tenths. */
  static long capacity(int key, int asked) {
    return Math.max(1, asked * (10L + key % 60) / 100);
  }

  private static Operation request(int key, int asked) {
    long permits = capacity(key, asked);
    Limit limit =
        key % 2 == 0
            ? new TokenBucket(permits, PERIOD, permits)
            : new FixedWindow(permits, PERIOD, FixedWindow.Align.FIRST_REQUEST);
    return new Operation.Acquire(List.of(new Counter("fleet", "key" + key, limit)), 1);
  }

  /**
   * Arguments: an {@link Opening}, a URI, how many stores and keys, how often to ask for each key,
   * and how often all members do.
   */
  public static void main(String[] args) throws Exception {
    // Each store says that it has found its server.
    Logger weir = Logger.getLogger("dev.weir");
    weir.setLevel(Level.WARNING);
    int stores = Integer.parseInt(args[2]);
    int keys = Integer.parseInt(args[3]);
    FleetMember member = new FleetMember(keys, stores);
    ThreadCount threads = new ThreadCount();
    for (int i = 0; i < stores; i++) {
      member.stores.add(Opening.valueOf(args[0]).open(args[1]));
    }
    threads.look();
    System.out.println(threads.most() - threads.before());
    new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    member.ask(Integer.parseInt(args[4]), Integer.parseInt(args[5]));
    threads.look();
    System.out.println(threads.most() - threads.before());
    System.out.println(member.failed);
    System.out.println(
        IntStream.range(0, keys)
            .mapToObj(key -> String.valueOf(member.allowed.get(key)))
            .collect(Collectors.joining(" ")));
    member.stores.forEach(CounterStore::close);
  }

  /** Asks for all keys in turn, of all stores in turn. */
  private void ask(int each, int askedByAll) throws InterruptedException {
    List<Operation> requests = new ArrayList<>();
    for (int key = 0; key < allowed.length(); key++) {
      requests.add(request(key, askedByAll));
    }
    for (int i = 0; i < each; i++) {
      for (int key = 0; key < requests.size(); key++) {
        unanswered.acquire();
        int asked = key;
        stores
            .get((key + i) % stores.size())
            .apply(requests.get(key))
            .whenComplete((decision, failure) -> answered(asked, decision, failure));
      }
    }
    unanswered.acquire(stores.size() * UNANSWERED_PER_STORE);
  }

  private void answered(int key, @Nullable Decision decision, @Nullable Throwable failure) {
    if (decision == null) {
      failed.incrementAndGet();
      System.err.println("a request failed: " + failure);
    } else if (decision.allowed()) {
      allowed.incrementAndGet(key);
    }
    unanswered.release();
  }
}
