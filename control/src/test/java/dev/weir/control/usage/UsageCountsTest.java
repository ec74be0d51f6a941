package dev.weir.control.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.weir.ManualTime;
import dev.weir.MemoryCounterStore;
import dev.weir.TimeSource;
import dev.weir.policy.ApiKeys;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.ListedClient;
import dev.weir.policy.OwnLimits;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Users;
import dev.weir.policy.config.ConfigReader;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UsageCountsTest {
  private static final String POLICY =
      """
      default_tier = "free"

      [[tier]]
      name = "free"
      limit = "1000000/s"

      [[rule]]
      name = "health"
      match = { path = "/health" }
      action = "allow"

      [[rule]]
      name = "none"
      match = { path = "/none" }
      action = "block"

      [[rule]]
      name = "few"
      match = { path = "/few" }
      limits = ["1/h"]

      [[exempt]]
      user = "monitor"
      """;
  private static final Client NOBODY = Client.unknown();

  private final ManualTime time = TimeSource.manual(Instant.parse("2026-02-28T23:59:59Z"));
  private final UsageCounts counts = new UsageCounts(time);
  private final Gate gate =
      new Gate(
          Policy.compile(ConfigReader.parse(POLICY, "weir.toml", Map.of()).policy()),
          new MemoryCounterStore(time, 1_000));

  private static Client user(String id, @Nullable Long quota) {
    return NOBODY.withUser(new Users.User(id, null, OwnLimits.ofUser(List.of(), quota)));
  }

  private static Client withKey(Client client, String key) {
    return client.withKey(new ApiKeys.ApiKey(key, null, null, List.of()));
  }

  private void decide(String path, Client client, long cost) {
    counts.decided(gate.check(Request.of("GET", path, client).withCost(cost)), 1);
  }

  private List<UsageDelta> drained() {
    List<UsageDelta> deltas = new ArrayList<>();
    assertThat(counts.drain(payload -> deltas.addAll(UsageRecord.parse(payload)))).isTrue();
    return deltas;
  }

  @Test
  void usersWithARowAndKeysAreCounted() {
    decide("/", user("alice", null), 1);
    decide("/", withKey(user("alice", null), "k1"), 2);
    decide("/", withKey(NOBODY.withUser("bob"), "k2"), 3);
    decide("/", NOBODY.withUser("carol"), 5);
    decide("/", NOBODY.withKey("k3"), 5);

    assertThat(drained())
        .extracting(UsageDelta::kind, UsageDelta::id, UsageDelta::requests)
        .containsExactlyInAnyOrder(
            tuple(UsageDelta.Kind.USER, "alice", 3L),
            tuple(UsageDelta.Kind.KEY, "k1", 2L),
            tuple(UsageDelta.Kind.KEY, "k2", 3L));
  }

  /** The second of the few is refused by the rule, whose wait is longer than that of the quota. */
  @Test
  void onlyWhatIsAllowedAndCountedIsUse() {
    gate.blocks().put(new ListedClient("user:eve", "", null));
    decide("/health", user("alice", 1L), 1);
    decide("/none", user("alice", 1L), 1);
    decide("/few", user("alice", 1L), 1);
    decide("/few", user("alice", 1L), 1);
    decide("/", user("alice", 1L), 1);
    decide("/", user("monitor", 1L), 1);
    decide("/", user("eve", 1L), 1);
    decide("/", user("looks", 1L), 0);

    assertThat(drained())
        .extracting(UsageDelta::id, UsageDelta::requests, UsageDelta::exceeded)
        .containsExactlyInAnyOrder(
            tuple("alice", 1L, 1L),
            tuple("monitor", 0L, 0L),
            tuple("eve", 0L, 0L),
            tuple("looks", 0L, 0L));
  }

  @Test
  void aDayIsThatOfTheDecision() {
    decide("/", user("alice", null), 1);
    time.advance(Duration.ofSeconds(1));
    decide("/", user("alice", null), 2);
    assertThat(drained())
        .extracting(delta -> LocalDate.ofEpochDay(delta.day()).toString(), UsageDelta::requests)
        .containsExactlyInAnyOrder(tuple("2026-02-28", 1L), tuple("2026-03-01", 2L));
  }

  /** As rows that stay in memory: the same ones with each request. */
  @Test
  void rowsThatAreMetAgainAreCountedByTheDayAndWhenTheyWereLetGo() {
    Client known = withKey(user("alice", null), "k1");
    decide("/", known, 1);
    decide("/", known, 2);
    time.advance(Duration.ofSeconds(1));
    decide("/", known, 4);
    assertThat(drained())
        .extracting(UsageDelta::id, UsageDelta::day, UsageDelta::requests)
        .containsExactlyInAnyOrder(
            tuple("alice", LocalDate.parse("2026-02-28").toEpochDay(), 3L),
            tuple("k1", LocalDate.parse("2026-02-28").toEpochDay(), 3L),
            tuple("alice", LocalDate.parse("2026-03-01").toEpochDay(), 4L),
            tuple("k1", LocalDate.parse("2026-03-01").toEpochDay(), 4L));

    // Long enough to be let go, and then back.
    for (int i = 0; i < 40; i++) {
      assertThat(drained()).isEmpty();
    }
    decide("/", known, 8);
    assertThat(drained()).extracting(UsageDelta::requests).containsExactly(8L, 8L);
  }

  @Test
  void twoWhoCountTheSameRowsBothCountAllOfThem() {
    Client known = user("alice", null);
    UsageCounts other = new UsageCounts(time);
    for (int i = 0; i < 3; i++) {
      decide("/", known, 1);
      other.decided(gate.check(Request.of("GET", "/", known)), 1);
    }
    assertThat(drained()).extracting(UsageDelta::requests).containsExactly(3L);
    List<UsageDelta> others = new ArrayList<>();
    other.drain(payload -> others.addAll(UsageRecord.parse(payload)));
    assertThat(others).extracting(UsageDelta::requests).containsExactly(3L);
  }

  @Test
  void whatIsRefusedIsOfferedAgain() {
    decide("/", user("alice", null), 1);
    assertThat(counts.drain(payload -> false)).isFalse();
    decide("/", user("alice", null), 1);
    assertThat(drained()).extracting(UsageDelta::requests).containsExactly(2L);
    assertThat(drained()).isEmpty();
  }

  @Test
  void manyGoIntoSeveralRecords() {
    for (int i = 0; i < 3_000; i++) {
      decide("/", user("user-" + i + "-" + "x".repeat(200), null), 1);
    }
    AtomicInteger records = new AtomicInteger();
    List<UsageDelta> deltas = new ArrayList<>();
    counts.drain(
        payload -> {
          // The second one is refused, and what was not taken comes again.
          if (records.incrementAndGet() == 2) {
            return false;
          }
          assertThat(payload.length).isLessThan(34_000);
          return deltas.addAll(UsageRecord.parse(payload));
        });
    assertThat(deltas).hasSizeLessThan(3_000).isNotEmpty();
    deltas.addAll(drained());
    assertThat(deltas).extracting(UsageDelta::id).hasSize(3_000).doesNotHaveDuplicates();
  }

  @Test
  void whoIsQuietIsLetGoAndCountedAgain() {
    UsageCounts few = new UsageCounts(time, 2);
    for (String name : List.of("a", "b", "c", "c")) {
      few.decided(gate.check(Request.of("GET", "/", user(name, null))), 1);
    }
    assertThat(few.uncounted()).isEqualTo(2);
    List<UsageDelta> deltas = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      few.drain(payload -> deltas.addAll(UsageRecord.parse(payload)));
    }
    few.decided(gate.check(Request.of("GET", "/", user("c", null))), 1);
    few.drain(payload -> deltas.addAll(UsageRecord.parse(payload)));
    assertThat(deltas).extracting(UsageDelta::id).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(few.uncounted()).isEqualTo(2);
  }

  @Test
  void threadsLoseNothingWhileItIsDrained() throws Exception {
    int threads = 8;
    int each = 20_000;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<UsageDelta> deltas = new ArrayList<>();
    List<List<Client>> known =
        IntStream.range(0, 50)
            .mapToObj(number -> user("user-" + number, null))
            .map(user -> List.of(withKey(user, "key-0"), withKey(user, "key-1")))
            .toList();
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        running.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    // Half of them as rows that stay in memory, half as rows that were read anew.
                    Client fresh = withKey(user("user-" + i % 50, null), "key-" + number % 2);
                    decide("/", i % 2 == 0 ? fresh : known.get(i % 50).get(number % 2), 1);
                  }
                }));
      }
      boolean isDone;
      do {
        isDone = running.stream().allMatch(Future::isDone);
        deltas.addAll(drained());
      } while (!isDone);
      for (Future<?> task : running) {
        task.get(1, TimeUnit.MINUTES);
      }
      deltas.addAll(drained());
    } finally {
      pool.shutdownNow();
    }
    assertThat(sum(deltas, UsageDelta.Kind.USER)).isEqualTo((long) threads * each);
    assertThat(sum(deltas, UsageDelta.Kind.KEY)).isEqualTo((long) threads * each);
  }

  private static long sum(List<UsageDelta> deltas, UsageDelta.Kind kind) {
    return deltas.stream()
        .filter(delta -> delta.kind() == kind)
        .mapToLong(UsageDelta::requests)
        .sum();
  }
}
