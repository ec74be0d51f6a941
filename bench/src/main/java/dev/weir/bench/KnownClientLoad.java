package dev.weir.bench;

import com.google.gson.Gson;
import com.sun.management.ThreadMXBean;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.bench.ControlRun.Decisions;
import dev.weir.control.database.Database;
import dev.weir.control.keys.StoredKeys;
import dev.weir.control.quotas.StoredUsers;
import dev.weir.control.rows.CacheOptions;
import dev.weir.http.HttpRequest;
import dev.weir.http.RequestFacts;
import dev.weir.http.Tokens;
import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.KnownClients;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.Config;
import dev.weir.policy.config.ConfigReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/**
 * Decisions for clients that the database knows, beside those for clients of whom only the address
 * is known. A hundred thousand keys and two hundred thousand users are in memory all the time. Runs
 * in a JVM of its own. Argument: how many turns each way gets.
 *
 * <p>The ways take turns, and what counts is the processor time of the thread: what others do on
 * the machine hits all of them alike, or none. A turn is long enough that nearly all of it runs on
 * what it has itself brought into the caches of the processor, as for a service with one kind of
 * load.
 */
final class KnownClientLoad {
  private static final int IPV6_PREFIX = 64;
  private static final int DECISIONS = 50_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final StoredKeys keys;
  private final StoredUsers users;
  private final KnownClients known;
  private final RequestFacts facts;
  private final Gate gate;

  /** What tells who asks. */
  enum Way {
    /** Header fields, as for {@code /v1/auth}: an address. */
    DESCRIBED,
    /** Header fields: an address and a key. */
    DESCRIBED_KEY,
    /** The caller, as for {@code /v1/check}: an address. */
    NAMED,
    /** The caller: an address and the id of a key. */
    NAMED_KEY,
    /** The caller: an address and a user, who has a monthly quota. */
    NAMED_USER
  }

  /** Asks for the client with a number. */
  private interface Asker {
    Verdict ask(int number);
  }

  private KnownClientLoad(Database database) {
    TimeSource time = TimeSource.system();
    this.keys = new StoredKeys(database, CacheOptions.defaults(), time);
    this.users = new StoredUsers(database, CacheOptions.defaults(), time, (user, used) -> {});
    this.known = new KnownClients(keys, users);
    Config config = ConfigReader.parse(ManyClients.TOML, "weir.toml", Map.of());
    this.facts = new RequestFacts(config.client(), Tokens.none(), known);
    this.gate = new Gate(Policy.compile(config.policy()), new MemoryCounterStore(time, 4_000_000));
  }

  public static void main(String[] args) {
    try (Database database = ManyClients.database()) {
      System.out.println(new Gson().toJson(run(database, Integer.parseInt(args[0]))));
    }
  }

  static List<Decisions> run(Database database, int turns) {
    KnownClientLoad load = new KnownClientLoad(database);
    try {
      load.keys.readAll();
      load.users.readAll();
      List<Decisions> all = new ArrayList<>();
      for (int clients : ControlReport.CLIENTS) {
        all.addAll(load.measure(clients, turns));
      }
      return all;
    } finally {
      load.keys.close();
      load.users.close();
    }
  }

  /** One way, and what its turns cost. */
  private static final class Course {
    final Way way;
    final Asker asker;
    final List<Double> nanos = new ArrayList<>();
    final List<Double> bytes = new ArrayList<>();

    Course(Way way, Asker asker) {
      this.way = way;
      this.asker = asker;
    }

    void turn(SplittableRandom random, int clients) {
      for (int i = 0; i < DECISIONS; i++) {
        if (!asker.ask(random.nextInt(clients)).isAllowed()) {
          throw new IllegalStateException("expected everything to be allowed");
        }
      }
    }

    void measuredTurn(SplittableRandom random, int clients) {
      long thread = Thread.currentThread().getId();
      long bytesBefore = THREADS.getThreadAllocatedBytes(thread);
      long nanosBefore = THREADS.getCurrentThreadCpuTime();
      turn(random, clients);
      nanos.add((THREADS.getCurrentThreadCpuTime() - nanosBefore) / (double) DECISIONS);
      bytes.add((THREADS.getThreadAllocatedBytes(thread) - bytesBefore) / (double) DECISIONS);
    }

    Decisions decisions(int clients) {
      return new Decisions(way, clients, new Figure(nanos).median(), new Figure(bytes).median());
    }
  }

  private List<Decisions> measure(int clients, int turns) {
    List<Course> courses = courses(clients);
    requireRight(courses, clients);
    SplittableRandom random = new SplittableRandom(7);
    // Half as many again for the compiler.
    for (int turn = 0; turn < turns / 2; turn++) {
      courses.forEach(course -> course.turn(random, clients));
    }
    // What is known stays so for long: by then a collection has put it in order.
    System.gc();
    for (int turn = 0; turn < turns; turn++) {
      courses.forEach(course -> course.measuredTurn(random, clients));
    }
    return courses.stream().map(course -> course.decisions(clients)).toList();
  }

  private List<Course> courses(int clients) {
    HttpRequest[] without = all(clients, HttpRequest[]::new, ManyClients::request);
    HttpRequest[] withKey = all(clients, HttpRequest[]::new, ManyClients::requestWithKey);
    // Requests are made anew, as by whoever reads them; addresses have been read already.
    Address[] addresses =
        all(clients, Address[]::new, number -> Address.parse(ManyClients.address(number)));
    String[] ids = all(clients, String[]::new, ManyClients::keyId);
    String[] names = all(clients, String[]::new, ManyClients::user);
    return List.of(
        new Course(Way.DESCRIBED, number -> decide(without[number])),
        new Course(Way.DESCRIBED_KEY, number -> decide(withKey[number])),
        new Course(Way.NAMED, number -> decide(at(addresses[number]))),
        new Course(Way.NAMED_KEY, number -> decide(at(addresses[number]).withKey(ids[number]))),
        new Course(
            Way.NAMED_USER, number -> decide(at(addresses[number]).withUser(names[number]))));
  }

  private static <T> T[] all(int clients, IntFunction<T[]> array, IntFunction<T> make) {
    T[] all = array.apply(clients);
    Arrays.setAll(all, make);
    return all;
  }

  private static Client at(Address address) {
    return Client.at(address, IPV6_PREFIX);
  }

  /** As the service does for {@code /v1/auth}. */
  private Verdict decide(HttpRequest described) {
    RequestFacts.Found found = facts.find(described);
    if (found.awaited() != null) {
      throw new IllegalStateException("expected all to be known");
    }
    return gate.check(found.request());
  }

  /** As the service does for {@code /v1/check}. */
  private Verdict decide(Client client) {
    Request request = Request.of("POST", ManyClients.path(), client);
    Client completed = known.complete(client);
    if (known.awaited(completed) != null) {
      throw new IllegalStateException("expected all to be known");
    }
    return gate.check(completed == client ? request : request.withClient(completed));
  }

  /** Each way is what it is called, and everything is known: nothing is looked up any more. */
  private void requireRight(List<Course> courses, int clients) {
    for (int number = 0; number < clients; number++) {
      for (Course course : courses) {
        Way way = course.way;
        String client =
            switch (way) {
              case DESCRIBED, NAMED -> "ip:" + ManyClients.address(number);
              case DESCRIBED_KEY, NAMED_KEY -> "user:owner-" + number;
              case NAMED_USER -> "user:" + ManyClients.user(number);
            };
        Verdict verdict = course.asker.ask(number);
        if (!verdict.request().client().id().equals(client)
            || verdict.standings().size() != (way == Way.NAMED_USER ? 2 : 1)) {
          throw new IllegalStateException("expected %s, got %s".formatted(client, verdict));
        }
      }
    }
    if (keys.statistics().lookUps() + users.statistics().lookUps() > 0) {
      throw new IllegalStateException(
          "expected no look-ups, got %s and %s".formatted(keys.statistics(), users.statistics()));
    }
  }
}
