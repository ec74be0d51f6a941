package dev.weir.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KnownClientsTest {
  private static final ApiKeys.ApiKey KEY = new ApiKeys.ApiKey("k1", "alice", "gold", List.of());
  private static final Users.User ALICE = new Users.User("alice", "free", OwnLimits.none());

  /** Knows a key by secret and id, each after a while. */
  private static final class SlowKeys implements ApiKeys {
    final CompletableFuture<Boolean> look = new CompletableFuture<>();

    @Override
    public @Nullable ApiKey find(String secret) {
      return look.isDone() && secret.equals("s3cret") ? KEY : null;
    }

    @Override
    public @Nullable ApiKey named(String id) {
      return look.isDone() && id.equals("k1") ? KEY : null;
    }

    @Override
    public @Nullable CompletionStage<?> awaitedNamed(String id) {
      return look.isDone() ? null : look;
    }
  }

  /** Knows a user after a while. */
  private static final class SlowUsers implements Users {
    final Map<String, CompletableFuture<Boolean>> looks = new ConcurrentHashMap<>();

    @Override
    public @Nullable User find(String id) {
      CompletableFuture<Boolean> look = looks.get(id);
      return look != null && look.isDone() && id.equals("alice") ? ALICE : null;
    }

    @Override
    public @Nullable CompletionStage<?> awaited(String id) {
      CompletableFuture<Boolean> look = looks.computeIfAbsent(id, any -> new CompletableFuture<>());
      return look.isDone() ? null : look;
    }
  }

  @Test
  void theFirstTierHolds() {
    KnownClients known = new KnownClients(secret -> KEY, id -> id.equals("alice") ? ALICE : null);
    Client nobody = Client.unknown();
    ApiKeys.ApiKey withoutTier = new ApiKeys.ApiKey("k2", "alice", null, List.of());

    assertThat(known.complete(nobody.withTier("said"), KEY).tier()).isEqualTo("said");
    assertThat(known.complete(nobody, KEY).tier()).isEqualTo("gold");
    assertThat(known.complete(nobody, withoutTier).tier()).isEqualTo("free");
    assertThat(known.complete(nobody.withUser("alice"), null).tier()).isEqualTo("free");
    assertThat(known.complete(nobody.withUser("bob"), null).tier()).isNull();
  }

  @Test
  void theFirstUserHoldsAndIsWhoseLimitsHold() {
    KnownClients known =
        new KnownClients(
            secret -> KEY, id -> new Users.User(id, null, OwnLimits.ofUser(List.of(), 7L)));
    Client client = known.complete(Client.unknown().withUser("bob"), KEY);

    assertThat(client.user()).isEqualTo("bob");
    assertThat(client.knownUser()).extracting(Users.User::id).isEqualTo("bob");
    assertThat(client.knownKey()).isEqualTo(KEY);
    assertThat(client.tier()).isEqualTo("gold");
  }

  @Test
  void waitsForTheKeyAndThenForItsUser() {
    SlowKeys keys = new SlowKeys();
    SlowUsers users = new SlowUsers();
    KnownClients known = new KnownClients(keys, users);
    Client client = Client.unknown().withKey("k1");
    List<Client> completed = new ArrayList<>();
    CompletionStage<?> stage = Objects.requireNonNull(known.awaited(client));
    stage.thenRun(() -> completed.add(known.complete(client)));

    keys.look.complete(true);
    assertThat(completed).isEmpty();
    assertThat(users.looks).containsOnlyKeys("alice");
    users.looks.values().forEach(look -> look.complete(true));
    assertThat(completed).extracting(Client::user).containsExactly("alice");
    assertThat(completed).extracting(Client::knownUser).containsExactly(ALICE);
    assertThat(known.awaited(client)).isNull();
  }

  @Test
  void whoNamesNobodyWaitsForNothing() {
    KnownClients known = new KnownClients(new SlowKeys(), new SlowUsers());
    assertThat(known.awaited(Client.unknown().withTier("free"))).isNull();
    assertThat(KnownClients.none().awaited(Client.unknown().withKey("k").withUser("u"))).isNull();
  }
}
