package dev.weir.policy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds to clients what is known of their keys and users. Of tiers the first of these holds: that
 * which the client has already, the key's, the user's. Thread-safe.
 */
public final class KnownClients {
  private final ApiKeys keys;
  private final Users users;

  /** By what these know. */
  public KnownClients(ApiKeys keys, Users users) {
    this.keys = keys;
    this.users = users;
  }

  /** Knows neither keys nor users. */
  public static KnownClients none() {
    return new KnownClients(ApiKeys.none(), Users.none());
  }

  /** Knows the keys. */
  public ApiKeys keys() {
    return keys;
  }

  /** Knows the users. */
  public Users users() {
    return users;
  }

  /**
   * The client with all that is known of its user, and of its key by that key's id. What it has
   * been completed with before is not looked for again.
   */
  public Client complete(Client client) {
    ApiKeys.ApiKey key = client.knownKey();
    String id = client.key();
    return complete(client, key == null && id != null ? keys.named(id) : key);
  }

  /**
   * The client with that key, if there is one, and all that is known of it and of the user. What
   * the client has of user and tier already wins over what is known of the key.
   */
  @SuppressWarnings("ReferenceEquality") // Of equal ones either will do.
  public Client complete(Client client, ApiKeys.@Nullable ApiKey shown) {
    ApiKeys.ApiKey key = shown == null ? client.knownKey() : shown;
    String id = userOf(client, key);
    Users.User user = client.knownUser();
    user = user == null && id != null ? userNamed(id, key) : user;
    if (key == client.knownKey() && user == client.knownUser()) {
      return client;
    }
    String tier = client.tier();
    tier = tier == null && key != null ? key.tier() : tier;
    tier = tier == null && user != null ? user.tier() : tier;
    return client.with(
        id == null ? null : Client.checked("user", id),
        key == null ? client.key() : key.id(),
        tier == null ? null : Client.checked("tier", tier),
        key,
        user);
  }

  @SuppressWarnings("ReferenceEquality") // Any other text is looked for without a bookmark.
  private Users.@Nullable User userNamed(String id, ApiKeys.@Nullable ApiKey key) {
    return key != null && key.user() == id ? users.find(id, key.owner()) : users.find(id);
  }

  private static @Nullable String userOf(Client client, ApiKeys.@Nullable ApiKey key) {
    String user = client.user();
    return user != null || key == null ? user : key.user();
  }

  /**
   * Whether waiting a little would help {@link #complete(Client)} with a client that it could not
   * complete.
   *
   * @return completes, always well, when more is known or no more is to be had in time; null if
   *     nothing would be gained, as nearly always
   */
  public @Nullable CompletionStage<?> awaited(Client client) {
    String id = client.key();
    CompletionStage<?> key = id == null || client.knownKey() != null ? null : keys.awaitedNamed(id);
    return key == null ? awaitedUser(client) : inTurn(key, () -> awaitedUser(complete(client)));
  }

  /** As {@link #awaited}, where nothing more can be learned of the key. */
  public @Nullable CompletionStage<?> awaitedUser(Client client) {
    String user = client.user();
    return user == null || client.knownUser() != null ? null : users.awaited(user);
  }

  /** Waits for one thing, and then for the other if there is anything to wait for. */
  public static CompletionStage<?> inTurn(
      CompletionStage<?> first, Supplier<@Nullable CompletionStage<?>> second) {
    return first.thenCompose(
        done -> {
          CompletionStage<?> next = second.get();
          return next == null
              ? CompletableFuture.completedStage(true)
              : next.thenApply(any -> true);
        });
  }
}
