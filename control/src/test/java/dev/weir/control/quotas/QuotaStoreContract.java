package dev.weir.control.quotas;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.MemoryCounterStore;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.change.ChangeRefused.Kind;
import dev.weir.control.rows.CacheOptions;
import dev.weir.control.rows.Page;
import dev.weir.control.rows.StoreContract;
import dev.weir.control.testing.Databases;
import dev.weir.policy.ApiKeys;
import dev.weir.policy.Client;
import dev.weir.policy.Gate;
import dev.weir.policy.KnownClients;
import dev.weir.policy.OwnLimits;
import dev.weir.policy.Policy;
import dev.weir.policy.Request;
import dev.weir.policy.Users;
import dev.weir.policy.Verdict;
import dev.weir.policy.config.ConfigReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What holds of quotas on every database. */
abstract class QuotaStoreContract extends StoreContract {
  private static final CacheOptions OPTIONS =
      CacheOptions.defaults().withPatience(Duration.ofSeconds(30));
  private static final Instant TOMORROW = Instant.parse("2026-03-31T12:00:00Z");

  private QuotaStore store;

  QuotaStoreContract(Databases databases) {
    super(databases);
  }

  @BeforeEach
  void prepare() {
    store = new QuotaStore(database(), changes(), time);
  }

  private static void assertRefused(Kind kind, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ChangeRefused.class, refused -> assertThat(refused.kind()).isEqualTo(kind))
        .hasMessageStartingWith(message);
  }

  private static Users.@Nullable User waitAndFind(StoredUsers users, String user) {
    CompletionStage<?> stage = users.awaited(user);
    if (stage != null) {
      stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
    return users.find(user);
  }

  private StoredUsers users(List<Long> charges) {
    return new StoredUsers(database(), OPTIONS, time, (user, used) -> charges.add(used));
  }

  @Test
  void usersAreFoundByAPartOfTheirName() {
    for (String user : List.of("Alice", "malice", "bob", "100%", "a_b", "a!b", "axb")) {
      store.put("admin", user, QuotaSettings.none(), null);
    }

    assertThat(store.usersWith("ALICE", 10)).containsExactlyInAnyOrder("Alice", "malice");
    assertThat(store.usersWith("user:b", 10)).containsExactly("bob");
    assertThat(store.usersWith("%", 10)).containsExactly("100%");
    assertThat(store.usersWith("a_b", 10)).containsExactly("a_b");
    assertThat(store.usersWith("a!b", 10)).containsExactly("a!b");
    assertThat(store.usersWith("", 3)).hasSize(3);
    assertThat(store.usersWith("\0", 3)).isEmpty();
  }

  @Test
  void whatIsPutIsThere() {
    QuotaSettings settings =
        new QuotaSettings("gold", 1_000L, 5_000L, 50L, 90_000L, true, "late bill", TOMORROW);
    QuotaRow row = store.put("admin", "alice", settings, 0L);
    assertThat(row.settings()).isEqualTo(settings);
    assertThat(row.version()).isEqualTo(1);
    assertThat(store.get("alice")).isEqualTo(row);
    assertThat(store.get("bob")).isNull();
    assertThat(row.isBlockedAt(TOMORROW.minusMillis(1))).isTrue();
    assertThat(row.isBlockedAt(TOMORROW)).isFalse();
    assertThat(
            query(
                "select user_id from user_quotas"
                    + " where quota_reset_at = timestamp with time zone '2026-04-01 00:00:00+00'"))
        .hasSize(1);
    assertThat(query("select act, subject, actor from admin_audit").get(0))
        .contains("quota.create", "quota:alice", "admin");
  }

  @Test
  void aRowIsChangedByWhoHasSeenItsVersion() {
    store.put("admin", "alice", QuotaSettings.none().withTier("a"), null);
    QuotaRow second = store.put("admin", "alice", QuotaSettings.none().withTier("b"), 1L);
    assertThat(second.version()).isEqualTo(2);
    assertRefused(
        Kind.PRECONDITION,
        "version of quota:alice must be 2, which it is now, got 1",
        () -> store.put("admin", "alice", QuotaSettings.none(), 1L));
    assertRefused(
        Kind.PRECONDITION,
        "version of quota:alice must be 2, which it is now, got 0",
        () -> store.put("admin", "alice", QuotaSettings.none(), 0L));
    assertRefused(
        Kind.PRECONDITION,
        "version of quota:bob must be 0",
        () -> store.put("admin", "bob", QuotaSettings.none(), 1L));
    assertRefused(
        Kind.PRECONDITION, "version of quota:alice", () -> store.clear("admin", "alice", 1L));
    assertThat(store.get("alice")).isEqualTo(second);
    assertThat(store.get("bob")).isNull();
  }

  @Test
  void whatWasSaidIsTakenBackAndWhatWasUsedStays() {
    store.put("admin", "alice", QuotaSettings.none().withMonthlyQuota(9L).blocked("x", null), null);
    execute(
        "update user_quotas set total_requests_month = 7, total_requests_today = 3,"
            + " usage_day = '2026-03-30'");
    QuotaRow cleared = store.clear("admin", "alice", 1L);
    assertThat(cleared.settings()).isEqualTo(QuotaSettings.none());
    assertThat(cleared.version()).isEqualTo(2);
    assertThat(cleared.usedThisMonth(TOMORROW)).isEqualTo(7);
    assertThat(cleared.usedToday(TOMORROW)).isZero();
    assertThat(cleared.usedToday(TOMORROW.minus(Duration.ofDays(1)))).isEqualTo(3);
    assertThat(cleared.usedThisMonth(Instant.parse("2026-04-01T00:00:00Z"))).isZero();
    assertRefused(
        Kind.NOT_FOUND,
        "user must have a quota, got \"bob\"",
        () -> store.clear("admin", "bob", null));
  }

  @Test
  void whatIsWrongIsRefusedByNameAndNothingIsMade() {
    QuotaSettings none = QuotaSettings.none();
    assertRefused(
        Kind.INVALID,
        "custom_limit_per_hour is wrong: limit \"0/h\"",
        () -> store.put("admin", "alice", none.withLimits(0L, null, null), null));
    assertRefused(
        Kind.INVALID,
        "custom_burst_size must have a limit",
        () -> store.put("admin", "alice", none.withLimits(null, null, 5L), null));
    assertRefused(
        Kind.INVALID,
        "monthly_quota must be between 1 and 1000000000000, got 0",
        () -> store.put("admin", "alice", none.withMonthlyQuota(0L), null));
    assertRefused(
        Kind.INVALID,
        "block_reason must not be given for a user who is not blocked",
        () ->
            store.put(
                "admin",
                "alice",
                new QuotaSettings(null, null, null, null, null, false, "x", null),
                null));
    assertRefused(
        Kind.INVALID, "tier ", () -> store.put("admin", "alice", none.withTier(""), null));
    assertRefused(Kind.INVALID, "user ", () -> store.put("admin", "", none, null));
    assertThat(query("select * from user_quotas")).isEmpty();
    assertThat(query("select * from admin_audit")).isEmpty();
    assertThat(query("select version from config_version").get(0)).contains("0");
  }

  @Test
  void rowsAreListedByFiltersAndInPages() {
    for (int i = 0; i < 9; i++) {
      QuotaSettings settings = QuotaSettings.none().withTier(i % 2 == 0 ? "even" : "odd");
      settings = i % 3 == 0 ? settings.blocked(null, null) : settings;
      settings = i < 2 ? settings.withMonthlyQuota(5L) : settings;
      store.put("admin", "user-" + i, settings, null);
    }
    assertThat(listed(new QuotaFilter("odd", null, null), 2))
        .containsExactly("user-1", "user-3", "user-5", "user-7");
    assertThat(listed(new QuotaFilter(null, true, null), 3))
        .containsExactly("user-0", "user-3", "user-6");
    assertThat(listed(new QuotaFilter("even", false, false), 1))
        .containsExactly("user-2", "user-4", "user-8");
    assertThat(listed(new QuotaFilter(null, null, true), 5)).containsExactly("user-0", "user-1");
    assertThat(listed(QuotaFilter.all(), 4)).hasSize(9);
  }

  private List<String> listed(QuotaFilter filter, int size) {
    List<String> users = new ArrayList<>();
    String next = null;
    do {
      Page<QuotaRow> page = store.list(filter, next, size);
      assertThat(page.items()).hasSizeLessThanOrEqualTo(size);
      page.items().forEach(row -> users.add(row.user()));
      next = page.next();
    } while (next != null);
    return users;
  }

  @Test
  void requestsKnowAUsersTierLimitsAndQuota() {
    store.put(
        "admin",
        "alice",
        QuotaSettings.none().withTier("gold").withLimits(1_000L, 5_000L, 50L).withMonthlyQuota(9L),
        null);
    try (StoredUsers users = users(new ArrayList<>())) {
      assertThat(waitAndFind(users, "alice"))
          .isEqualTo(
              new Users.User(
                  "alice",
                  "gold",
                  OwnLimits.ofUser(
                      List.of(Limit.parse("1000/h burst 50"), Limit.parse("5000/d")), 9L)));
      assertThat(waitAndFind(users, "bob")).isNull();
      store.put("admin", "bob", QuotaSettings.none().withTier("free"), null);
      store.put("admin", "alice", QuotaSettings.none(), null);
      users.changed(seen("quota:bob", "quota:alice", "key:x"));
      assertThat(users.find("bob")).isEqualTo(new Users.User("bob", "free", OwnLimits.none()));
      assertThat(users.find("alice")).isEqualTo(new Users.User("alice", null, OwnLimits.none()));
    }
  }

  @Test
  void usersThatNoDatabaseCanHoldAreUnknownAndHarmNobody() {
    store.put("admin", "emoji \ud83d\ude00", QuotaSettings.none().withTier("x"), null);
    try (StoredUsers users = users(new ArrayList<>())) {
      for (String odd : List.of("a\0b", "\ud83d", "x\ude00", "\ud83dx")) {
        assertThat(waitAndFind(users, odd)).isNull();
        assertThat(store.get(odd)).isNull();
        assertThat(store.list(new QuotaFilter(odd, null, null), null, 9).items()).isEmpty();
        assertThat(store.list(QuotaFilter.all(), odd, 9).items()).isEmpty();
        assertRefused(
            Kind.INVALID,
            "user must be text that a database can hold",
            () -> store.put("admin", odd, QuotaSettings.none(), null));
      }
      assertThat(waitAndFind(users, "emoji \ud83d\ude00")).isNotNull();
      assertThat(users.statistics().isDown()).isFalse();
    }
  }

  @Test
  void aUsersMonthIsChargedOnceWhoeverReadsTheRow() {
    store.put("admin", "alice", QuotaSettings.none().withMonthlyQuota(9L), null);
    store.put("admin", "bob", QuotaSettings.none(), null);
    execute(
        "update user_quotas set total_requests_month = 7, total_requests_today = 7,"
            + " usage_day = '2026-03-02'");
    List<Long> charges = new ArrayList<>();
    try (StoredUsers users = users(charges)) {
      users.readAll();
      assertThat(charges).containsExactly(7L);
      users.changed(seen("quota:alice", "quota:bob"));
      assertThat(waitAndFind(users, "alice")).isNotNull();
      assertThat(charges).containsExactly(7L);
    }
  }

  @Test
  void aRestartDoesNotGiveTheMonthAgain() {
    store.put("admin", "alice", QuotaSettings.none().withMonthlyQuota(10L), null);
    execute(
        "update user_quotas set total_requests_month = 7, total_requests_today = 1,"
            + " usage_day = '2026-03-29'");
    assertThat(allowedAfterStart(20)).isEqualTo(3);
    time.set(Instant.parse("2026-04-01T00:00:00Z"));
    assertThat(allowedAfterStart(20)).isEqualTo(10);
  }

  /** How many of alice's requests pass in a process that has just started. */
  private int allowedAfterStart(int requests) {
    Gate gate =
        new Gate(
            Policy.compile(ConfigReader.parse("", "weir.toml", Map.of()).policy()),
            new MemoryCounterStore(time, 1_000));
    int allowed = 0;
    try (StoredUsers users =
        new StoredUsers(
            database(),
            OPTIONS,
            time,
            (user, used) -> gate.chargeQuota(Client.unknown().withUser(user), used))) {
      KnownClients known = new KnownClients(ApiKeys.none(), users);
      Client alice = Client.unknown().withUser("alice");
      CompletionStage<?> stage = Objects.requireNonNull(known.awaited(alice));
      stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
      for (int i = 0; i < requests; i++) {
        Verdict verdict = gate.check(Request.of("GET", "/", known.complete(alice)));
        assertThat(verdict.isAllowed() || verdict.isOverQuota()).isTrue();
        allowed += verdict.isAllowed() ? 1 : 0;
      }
    }
    return allowed;
  }
}
