package dev.weir.control.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.MemoryCounterStore;
import dev.weir.control.keys.KeySettings;
import dev.weir.control.keys.KeyStore;
import dev.weir.control.keys.NewKey;
import dev.weir.control.keys.StoredKeys;
import dev.weir.control.quotas.QuotaRow;
import dev.weir.control.quotas.QuotaSettings;
import dev.weir.control.quotas.QuotaStore;
import dev.weir.control.quotas.StoredUsers;
import dev.weir.control.rows.CacheOptions;
import dev.weir.control.rows.StoreContract;
import dev.weir.control.testing.Databases;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.KnownClients;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.config.ConfigReader;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How use gets into the rows, on every database. */
abstract class UsageSinkContract extends StoreContract {
  private final UsageSink sink = new UsageSink();
  private QuotaStore quotas;
  private KeyStore keys;

  UsageSinkContract(Databases databases) {
    super(databases);
  }

  @BeforeEach
  void prepare() {
    quotas = new QuotaStore(database(), changes(), time);
    keys = new KeyStore(database(), changes());
  }

  private void write(List<byte[]> payloads) {
    database()
        .inTransaction(
            "write",
            handle -> {
              sink.write(handle, payloads);
              return true;
            });
  }

  private void write(UsageDelta... deltas) {
    UsageRecord record = new UsageRecord();
    for (UsageDelta delta : deltas) {
      record.add(delta);
    }
    write(List.of(record.toBytes()));
  }

  private static UsageDelta user(String id, String day, long requests, long exceeded) {
    LocalDate date = LocalDate.parse(day);
    Instant last = date.atTime(10, 0).toInstant(ZoneOffset.UTC);
    return new UsageDelta(
        UsageDelta.Kind.USER,
        id,
        date.toEpochDay(),
        requests,
        exceeded,
        ChronoUnit.MICROS.between(Instant.EPOCH, last));
  }

  private QuotaRow row(String user) {
    return Objects.requireNonNull(quotas.get(user));
  }

  @Test
  void daysAndMonthsBeginAnew() {
    quotas.put("admin", "alice", QuotaSettings.none().withMonthlyQuota(9L), null);
    write(user("alice", "2026-02-27", 3, 0));
    write(user("alice", "2026-02-28", 4, 1));
    assertThat(row("alice").requestsToday()).isEqualTo(4);
    assertThat(row("alice").requestsThisMonth()).isEqualTo(7);
    write(user("alice", "2026-03-01", 5, 1));
    assertThat(row("alice").requestsToday()).isEqualTo(5);
    assertThat(row("alice").requestsThisMonth()).isEqualTo(5);
    assertThat(row("alice").quotaExceededCount()).isEqualTo(2);
    assertThat(row("alice").usageDay()).isEqualTo("2026-03-01");
    assertThat(row("alice").lastRequestAt()).isEqualTo("2026-03-01T10:00:00Z");
    assertThat(
            query(
                "select user_id from user_quotas"
                    + " where quota_reset_at = timestamp with time zone '2026-04-01 00:00:00+00'"))
        .hasSize(1);
    write(user("alice", "2026-02-28", 100, 0), user("alice", "2026-03-01", 1, 0));
    assertThat(row("alice").requestsThisMonth()).as("February is over").isEqualTo(6);
    assertThat(row("alice").lastRequestAt()).isEqualTo("2026-03-01T10:00:00Z");
  }

  @Test
  void noVersionChangesAndNothingIsAudited() {
    quotas.put("admin", "alice", QuotaSettings.none(), null);
    NewKey key = keys.create("admin", "alice", KeySettings.none());
    List<String> before = query("select * from config_version");
    int audited = query("select * from admin_audit").size();
    write(
        user("alice", "2026-03-01", 5, 0),
        new UsageDelta(UsageDelta.Kind.KEY, key.row().id(), 1, 7, 0, 9));
    assertThat(row("alice").version()).isEqualTo(1);
    assertThat(keys.get(key.row().id()))
        .satisfies(
            row -> {
              assertThat(row.version()).isEqualTo(1);
              assertThat(row.totalRequests()).isEqualTo(7);
              assertThat(row.lastUsedAt()).isEqualTo(Instant.EPOCH.plus(9, ChronoUnit.MICROS));
            });
    assertThat(query("select * from config_version")).isEqualTo(before);
    assertThat(query("select * from admin_audit")).hasSize(audited);
  }

  @Test
  void whoIsGoneAndWhatCannotBeReadIsPassedOver() {
    quotas.put("admin", "alice", QuotaSettings.none(), null);
    UsageRecord record = new UsageRecord();
    record.add(user("nobody", "2026-03-01", 5, 0));
    record.add(new UsageDelta(UsageDelta.Kind.KEY, UUID.randomUUID().toString(), 1, 1, 0, 1));
    record.add(user("alice", "2026-03-01", 5, 0));
    write(List.of(new byte[0], new byte[] {7}, record.toBytes(), new byte[] {1, 0, 0}));
    assertThat(row("alice").requestsToday()).isEqualTo(5);
    assertThat(query("select * from user_quotas")).hasSize(1);
  }

  /** Days go on, and up to two days late there is still something to tell of them. */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3})
  void anyOrderGivesWhatTheModelSays(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, UsageModel> models = new HashMap<>();
    List<String> users = List.of("alice", "bob", "carol");
    for (String user : users) {
      quotas.put("admin", user, QuotaSettings.none(), null);
      models.put(user, new UsageModel());
    }
    String key = keys.create("admin", "alice", KeySettings.none()).row().id();
    UsageModel ofKey = new UsageModel();
    long day = LocalDate.parse("2026-01-15").toEpochDay();
    for (int round = 0; round < 60; round++) {
      day += random.nextInt(4);
      List<byte[]> payloads = new ArrayList<>();
      for (int records = random.nextInt(3); records >= 0; records--) {
        UsageRecord record = new UsageRecord();
        for (int i = random.nextInt(6); i > 0; i--) {
          String user = users.get(random.nextInt(users.size()));
          long when = day - random.nextInt(3);
          UsageDelta delta =
              new UsageDelta(
                  UsageDelta.Kind.USER,
                  user,
                  when,
                  random.nextInt(5),
                  random.nextInt(2),
                  when * 86_400_000_000L + random.nextLong(86_400_000_000L));
          record.add(delta);
          Objects.requireNonNull(models.get(user)).add(delta);
          UsageDelta keyDelta =
              new UsageDelta(
                  UsageDelta.Kind.KEY, key, when, delta.requests(), 0, delta.lastMicros());
          record.add(keyDelta);
          ofKey.add(keyDelta);
        }
        payloads.add(record.toBytes());
      }
      write(payloads);
      models.forEach(this::assertAsModel);
    }
    assertThat(keys.get(key))
        .satisfies(row -> assertThat(row.totalRequests()).isEqualTo(ofKey.total()));
  }

  private void assertAsModel(String user, UsageModel model) {
    QuotaRow row = row(user);
    assertThat(row.usageDay()).isEqualTo(model.day());
    assertThat(row.requestsToday()).isEqualTo(model.today());
    assertThat(row.requestsThisMonth()).isEqualTo(model.thisMonth());
    assertThat(row.quotaExceededCount()).isEqualTo(model.exceeded());
    if (model.day() != null) {
      assertThat(row.lastRequestAt())
          .isEqualTo(Instant.EPOCH.plus(model.lastMicros(), ChronoUnit.MICROS));
    }
  }

  @Test
  void instancesThatWriteAtOnceLoseNothing() throws Exception {
    for (int i = 0; i < 20; i++) {
      quotas.put("admin", "user-" + i, QuotaSettings.none(), null);
    }
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        SplittableRandom random = new SplittableRandom(thread);
        writers.add(
            threads.submit(
                () -> {
                  for (int round = 0; round < 25; round++) {
                    UsageDelta[] deltas = new UsageDelta[20];
                    int first = random.nextInt(20);
                    for (int i = 0; i < 20; i++) {
                      deltas[i] = user("user-" + (first + i) % 20, "2026-03-01", 1, 0);
                    }
                    write(deltas);
                  }
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      threads.shutdownNow();
    }
    for (int i = 0; i < 20; i++) {
      assertThat(row("user-" + i).requestsThisMonth()).isEqualTo(100);
    }
  }

  @Test
  void whatRequestsUseIsInTheRowsAfterADrain() {
    quotas.put("admin", "alice", QuotaSettings.none().withMonthlyQuota(5L), null);
    NewKey key = keys.create("admin", "alice", KeySettings.none());
    List<byte[]> outbox = new CopyOnWriteArrayList<>();
    UsageCounts counts = new UsageCounts(time);
    Gate gate =
        new Gate(
            Policy.compile(ConfigReader.parse("", "weir.toml", Map.of()).policy()),
            new MemoryCounterStore(time, 1_000));
    try (StoredKeys storedKeys = new StoredKeys(database(), CacheOptions.defaults(), time);
        StoredUsers storedUsers =
            new StoredUsers(database(), CacheOptions.defaults(), time, (user, used) -> {});
        UsageDrain drain =
            new UsageDrain(counts, (kind, payload) -> outbox.add(payload), Duration.ofHours(1))) {
      storedKeys.readAll();
      storedUsers.readAll();
      KnownClients known = new KnownClients(storedKeys, storedUsers);
      Client withKey = known.complete(Client.unknown(), storedKeys.find(key.key()));
      Client byName = known.complete(Client.unknown().withUser("alice"));
      for (int i = 0; i < 3; i++) {
        counts.decided(gate.check(Request.of("GET", "/", withKey)), 1);
      }
      counts.decided(gate.check(Request.of("GET", "/", byName).withCost(2)), 1);
      time.advance(Duration.ofSeconds(3));
      counts.decided(gate.check(Request.of("GET", "/", byName)), 1);
      assertThat(drain.drain()).isTrue();
      write(outbox);
      outbox.clear();
      counts.decided(gate.check(Request.of("GET", "/", withKey)), 1);
    }
    write(outbox);
    QuotaRow row = row("alice");
    assertThat(row.requestsToday()).isEqualTo(5);
    assertThat(row.requestsThisMonth()).isEqualTo(5);
    assertThat(row.quotaExceededCount()).as("both of the last two").isEqualTo(2);
    assertThat(row.lastRequestAt()).isEqualTo("2026-03-30T12:00:03Z");
    assertThat(keys.get(key.row().id()))
        .satisfies(
            stored -> {
              assertThat(stored.totalRequests()).isEqualTo(3);
              assertThat(stored.lastUsedAt()).isEqualTo("2026-03-30T12:00:03Z");
            });
  }
}
