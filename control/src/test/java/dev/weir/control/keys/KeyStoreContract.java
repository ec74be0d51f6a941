package dev.weir.control.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.Limit;
import dev.weir.control.change.ChangeFeed;
import dev.weir.control.change.ChangeRefused;
import dev.weir.control.change.ChangeRefused.Kind;
import dev.weir.control.quotas.QuotaSettings;
import dev.weir.control.quotas.QuotaStore;
import dev.weir.control.rows.CacheOptions;
import dev.weir.control.rows.LogCapture;
import dev.weir.control.rows.Page;
import dev.weir.control.rows.StoreContract;
import dev.weir.control.testing.Databases;
import dev.weir.policy.ApiKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What holds of keys on every database. */
abstract class KeyStoreContract extends StoreContract {
  private static final CacheOptions OPTIONS =
      CacheOptions.defaults().withPatience(Duration.ofSeconds(30));

  private KeyStore store;
  private StoredKeys keys;

  KeyStoreContract(Databases databases) {
    super(databases);
  }

  @BeforeEach
  void prepare() {
    store = new KeyStore(database(), changes());
    keys = new StoredKeys(database(), OPTIONS, time);
  }

  @AfterEach
  void tidyUp() {
    keys.close();
  }

  private ApiKeys.@Nullable ApiKey waitAndFind(String key) {
    CompletionStage<?> stage = keys.awaited(key);
    if (stage != null) {
      stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
    return keys.find(key);
  }

  private static void assertRefused(Kind kind, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ChangeRefused.class, refused -> assertThat(refused.kind()).isEqualTo(kind))
        .hasMessageStartingWith(message);
  }

  @Test
  void aKeyThatWasMadeIsKnownByItsSecretAndItsId() {
    KeySettings settings =
        new KeySettings(
            "ci",
            "gold",
            List.of("2/10m sliding_log"),
            5L,
            null,
            1_000L,
            9L,
            Instant.parse("2026-04-01T00:00:00Z"));
    NewKey made = store.create("admin", "alice", settings);
    KeyRow row = made.row();

    assertThat(row.settings()).isEqualTo(settings);
    assertThat(row.user()).isEqualTo("alice");
    assertThat(row.createdBy()).isEqualTo("admin");
    assertThat(row.version()).isEqualTo(1);
    assertThat(row.isUsableAt(Instant.parse("2026-03-31T23:59:59Z"))).isTrue();
    assertThat(row.isUsableAt(Instant.parse("2026-04-01T00:00:00Z"))).isFalse();
    assertThat(store.get(row.id())).isEqualTo(row);
    assertThat(store.get(row.id().replace("-", ""))).isEqualTo(row);
    ApiKeys.ApiKey known = Objects.requireNonNull(waitAndFind(made.key()));
    assertThat(known)
        .isEqualTo(
            new ApiKeys.ApiKey(
                row.id(),
                "alice",
                "gold",
                List.of(
                    Limit.parse("5/s burst 9"),
                    Limit.parse("1000/d"),
                    Limit.parse("2/10m sliding_log"))));
    assertThat(keys.named(row.id())).isEqualTo(known);
    assertThat(keys.named("no id")).isNull();
  }

  @Test
  void anythingButTheWholeKeyIsUnknown() {
    String key = store.create("admin", "alice", KeySettings.none()).key();
    char last = key.charAt(key.length() - 1);
    String wrongEnd = key.substring(0, key.length() - 1) + (last == 'x' ? 'y' : 'x');
    String otherId = KeyText.random().whole().substring(0, 36) + key.substring(36);

    assertThat(waitAndFind(key)).isNotNull();
    for (String wrong :
        List.of(
            wrongEnd,
            otherId,
            key + "0",
            key.substring(0, key.length() - 1),
            key.toUpperCase(Locale.ROOT),
            key.substring(36))) {
      assertThat(waitAndFind(wrong)).as(wrong).isNull();
    }
    assertThat(keys.statistics().lookUps())
        .as("the key, and the id that nobody has; what is no key is not looked up")
        .isEqualTo(2);
  }

  @Test
  void aKeyEndsWhenItsTimeIsOver() {
    Instant end = Instant.parse("2026-03-30T12:05:00Z");
    String key = store.create("admin", "alice", KeySettings.none().withExpiresAt(end)).key();
    assertThat(waitAndFind(key)).isNotNull();
    time.advance(Duration.ofMinutes(5).minusMillis(1));
    assertThat(keys.find(key)).isNotNull();
    time.advance(Duration.ofMillis(1));
    assertThat(keys.find(key)).isNull();
    assertThat(keys.named(key.substring(3, 35))).isNull();
  }

  @Test
  void aRevokedKeyEndsAsSoonAsThatIsHeard() {
    NewKey made = store.create("admin", "alice", KeySettings.none());
    assertThat(waitAndFind(made.key())).isNotNull();
    KeyRow revoked = store.revoke("admin", made.row().id(), made.row().version());
    assertThat(revoked.isActive()).isFalse();
    assertThat(revoked.revokedBy()).isEqualTo("admin");
    assertThat(revoked.revokedAt()).isNotNull();
    assertThat(revoked.version()).isEqualTo(2);

    keys.changed(seen("rule:x", "key:" + UUID.randomUUID(), "key:odd"));
    assertThat(keys.find(made.key())).isNotNull();
    keys.changed(seen("key:" + made.row().id()));
    assertThat(keys.find(made.key())).isNull();
    int rows = query("select * from admin_audit").size();
    assertThat(store.revoke("other", made.row().id(), null)).isEqualTo(revoked);
    assertThat(query("select * from admin_audit")).hasSize(rows);
  }

  @Test
  void whatWasChangedUnheardIsReadWithEverythingElse() {
    NewKey made = store.create("admin", "alice", KeySettings.none());
    assertThat(waitAndFind(made.key())).isNotNull();
    execute("update api_keys set is_active = false");
    keys.changed(new ChangeFeed.Seen(9, null));
    assertThat(waitAndFind(made.key())).isNull();
  }

  @Test
  void aKeyIsChangedByWhoHasSeenItsVersion() {
    NewKey made = store.create("admin", "alice", KeySettings.none().withName("a"));
    String id = made.row().id();
    assertThat(waitAndFind(made.key())).isNotNull();
    KeySettings next = KeySettings.none().withName("b").withTier("pro").withLimits(List.of("7/m"));
    KeyRow changed = store.update("bob", id, next, 1L);
    assertThat(changed.settings()).isEqualTo(next);
    assertThat(changed.version()).isEqualTo(2);
    assertThat(changed.createdBy()).isEqualTo("admin");
    assertRefused(
        Kind.PRECONDITION,
        "version of key:" + id + " must be 2, which it is now, got 1",
        () -> store.update("bob", id, next, 1L));
    assertRefused(Kind.PRECONDITION, "version of key:" + id, () -> store.revoke("bob", id, 1L));
    keys.changed(seen("key:" + id));
    assertThat(keys.find(made.key()))
        .isEqualTo(new ApiKeys.ApiKey(id, "alice", "pro", List.of(Limit.parse("7/m"))));
    store.revoke("bob", id, null);
    assertRefused(
        Kind.CONFLICT, "key must not be revoked", () -> store.update("bob", id, next, null));
  }

  @Test
  void whatIsWrongIsRefusedByNameAndNothingIsMade() {
    KeySettings none = KeySettings.none();
    assertRefused(
        Kind.INVALID,
        "limits is wrong: limit \"10/min\": ",
        () -> store.create("admin", "alice", none.withLimits(List.of("10/min"))));
    assertRefused(
        Kind.INVALID,
        "burst_size must have a limit beside it",
        () ->
            store.create(
                "admin",
                "alice",
                new KeySettings(null, null, List.of(), null, null, null, 5L, null)));
    assertRefused(
        Kind.INVALID,
        "tier ",
        () -> store.create("admin", "alice", none.withTier("x".repeat(256))));
    assertRefused(Kind.INVALID, "name ", () -> store.create("admin", "alice", none.withName("")));
    assertRefused(Kind.INVALID, "user ", () -> store.create("admin", "", none));
    assertThat(query("select * from api_keys")).isEmpty();
    assertThat(query("select * from user_quotas")).isEmpty();
    assertThat(query("select * from admin_audit")).isEmpty();
  }

  @Test
  void whatIsNotThereIsSaidSo() {
    String nobody = UUID.randomUUID().toString();
    for (String id : List.of(nobody, "x", KeyText.random().whole())) {
      assertThat(store.get(id)).isNull();
      assertRefused(
          Kind.NOT_FOUND,
          "key must be the id of a key; there is none of that id",
          () -> store.update("admin", id, KeySettings.none(), null));
      assertRefused(Kind.NOT_FOUND, "key must be", () -> store.revoke("admin", id, null));
    }
  }

  @Test
  void theUsersRowIsMadeOnceAndAudited() {
    store.create("admin", "alice", KeySettings.none());
    store.create("admin", "alice", KeySettings.none());
    assertThat(query("select user_id, version from user_quotas")).hasSize(1);
    assertThat(query("select act, subject from admin_audit order by audit_id"))
        .hasSize(3)
        .first()
        .asString()
        .contains("quota.create", "quota:alice");
  }

  @Test
  void keysAreListedInPages() {
    Set<String> alices = new HashSet<>();
    for (int i = 0; i < 7; i++) {
      alices.add(store.create("admin", "alice", KeySettings.none()).row().id());
      store.create("admin", "bob", KeySettings.none());
    }
    Set<String> found = new HashSet<>();
    String next = null;
    int pages = 0;
    do {
      Page<KeyRow> page = store.list("alice", next, 3);
      page.items().forEach(row -> assertThat(found.add(row.id())).isTrue());
      next = page.next();
      pages++;
    } while (next != null);
    assertThat(found).isEqualTo(alices);
    assertThat(pages).isEqualTo(3);
    assertThat(store.list(null, null, 14).next()).isNull();
    assertThat(store.list(null, null, 14).items()).hasSize(14);
    assertThat(store.list("carol", null, 5).items()).isEmpty();
    assertThat(store.list("\0", null, 5).items()).isEmpty();
    assertRefused(Kind.INVALID, "cursor must be", () -> store.list(null, "odd", 5));
    assertThatThrownBy(() -> store.list(null, null, 0))
        .hasMessage("limit must be between 1 and 1000, got 0");
  }

  @Test
  void keysAreFoundByAPartOfTheirIdOrName() {
    String phone =
        store.create("admin", "alice", KeySettings.none().withName("Alice's phone")).row().id();
    String nameless = store.create("admin", "bob", KeySettings.none()).row().id();

    assertThat(store.idsWith("PHONE", 10)).containsExactly(phone);
    assertThat(store.idsWith("key:" + nameless, 10)).containsExactly(nameless);
    assertThat(store.idsWith(nameless.substring(9, 23), 10)).containsExactly(nameless);
    assertThat(store.idsWith("", 10)).containsExactlyInAnyOrder(phone, nameless);
    assertThat(store.idsWith("_", 10)).isEmpty();
    assertThat(store.idsWith("\0", 10)).isEmpty();
  }

  @Test
  void aRowThatWasInsertedByHandWorks() {
    String secret = "abcdefghijklmnopqrstuvwxyz";
    execute("insert into user_quotas (user_id, tier) values ('12345', 'free')");
    execute(
        "insert into api_keys (api_key_id, api_key_hash, user_id, key_name, tier,"
            + " requests_per_second, requests_per_hour, requests_per_day, burst_size,"
            + " total_requests, is_active, created_at) values"
            + " ('0a0b0c0d-0000-4000-8000-00000000000f', '"
            + Fingerprint.of(secret).hex()
            + "', '12345', 'mobile', 'premium', 10, 10000, 100000, 20, 0, true,"
            + " current_timestamp)");
    ApiKeys.ApiKey known = waitAndFind("wk_0a0b0c0d00004000800000000000000f_" + secret);
    assertThat(known)
        .isEqualTo(
            new ApiKeys.ApiKey(
                "0a0b0c0d-0000-4000-8000-00000000000f",
                "12345",
                "premium",
                List.of(
                    Limit.parse("10/s burst 20"),
                    Limit.parse("10000/h"),
                    Limit.parse("100000/d"))));
  }

  @Test
  void ownLimitsThatAreWrongLeaveTheKeyToItsTier() {
    NewKey made = store.create("admin", "alice", KeySettings.none().withTier("free"));
    execute("update api_keys set limits = array['often']");
    try (LogCapture log = LogCapture.start()) {
      assertThat(waitAndFind(made.key()))
          .isEqualTo(new ApiKeys.ApiKey(made.row().id(), "alice", "free", List.of()));
      assertThat(log.lines())
          .anySatisfy(
              line ->
                  assertThat(line)
                      .contains("the own limits of key " + made.row().id() + " do not hold")
                      .contains("limit \"often\""));
    }
    assertThat(keys.statistics().isDown()).isFalse();
  }

  @Test
  void keysThatWereUsedLastAreKnownAheadOfRequests() {
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      made.add(store.create("admin", "alice", KeySettings.none()).key());
    }
    keys.readAll();
    assertThat(made).allSatisfy(key -> assertThat(keys.find(key)).isNotNull());
    assertThat(keys.statistics().lookUps()).isZero();
  }

  @Test
  @DisplayName("T20: a secret is in no row, no log, no text of an object; its hash in one column")
  void aSecretIsNowhere() {
    StringBuilder told = new StringBuilder();
    String secret;
    String hash;
    try (LogCapture log = LogCapture.start()) {
      NewKey made = store.create("admin", "alice", KeySettings.none().withName("n"));
      secret = made.key().substring(36);
      hash = Fingerprint.of(secret).hex();
      told.append(made).append(made.row()).append(waitAndFind(made.key()));
      store.update("admin", made.row().id(), KeySettings.none(), null);
      told.append(keys.statistics());
      for (String wrong : List.of(made.key(), secret)) {
        assertThatThrownBy(() -> store.revoke("admin", wrong, null))
            .satisfies(refused -> told.append(refused));
      }
      store.revoke("admin", made.row().id(), null);
      keys.changed(seen("key:" + made.row().id()));
      told.append(log.lines());
    }
    told.append(query("select * from admin_audit"));
    assertThat(told).contains("key.create", "key.update", "key.revoke").doesNotContain(hash);
    for (String table : List.of("admin_audit", "user_quotas", "api_keys", "config_version")) {
      told.append(query("select * from " + table));
    }
    assertThat(told).doesNotContain(secret).containsOnlyOnce(hash);
  }

  @Test
  void manyMakeAndRevokeAtOnce() throws Exception {
    QuotaStore quotas = new QuotaStore(database(), changes(), time);
    quotas.put("admin", "alice", QuotaSettings.none(), null);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<String>> tasks = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        String actor = "admin-" + i;
        tasks.add(
            () -> {
              KeyRow row = store.create(actor, "alice", KeySettings.none()).row();
              return store.revoke(actor, row.id(), row.version()).id();
            });
      }
      Set<String> revoked = new HashSet<>();
      for (Future<String> each : threads.invokeAll(tasks)) {
        revoked.add(each.get());
      }
      assertThat(revoked).hasSize(40);
    } finally {
      threads.shutdownNow();
    }
    assertThat(query("select * from api_keys where is_active")).isEmpty();
    assertThat(query("select * from admin_audit where act like 'key.%'")).hasSize(80);
    assertThat(query("select version from config_version").get(0)).contains("81");
  }
}
