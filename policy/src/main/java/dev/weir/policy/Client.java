package dev.weir.policy;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who asks: an address, and what is known beyond it. Immutable. Only what was verified belongs
 * here; see the {@code http} module for how it is found out.
 */
public final class Client {
  /** The longest user or key. */
  public static final int MAX_LENGTH = 255;

  private static final String NO_TIER = "tier:";
  private static final Client UNKNOWN = new Client(null, 0, null, null, null, null, null);

  private final @Nullable Address address;
  private final int ipv6Prefix;
  private final @Nullable String user;
  private final @Nullable String key;
  private final @Nullable String tier;
  private final ApiKeys.@Nullable ApiKey knownKey;
  private final Users.@Nullable User knownUser;

  // Made when they are asked for: most requests need one of them. Threads that race make equal
  // texts, and a String is safe to read however it came here.
  private @Nullable String addressId;
  private @Nullable String userId;
  private @Nullable String keyId;
  private @Nullable String tierId;

  private Client(
      @Nullable Address address,
      int ipv6Prefix,
      @Nullable String user,
      @Nullable String key,
      @Nullable String tier,
      ApiKeys.@Nullable ApiKey knownKey,
      Users.@Nullable User knownUser) {
    this.address = address;
    this.ipv6Prefix = ipv6Prefix;
    this.user = user;
    this.key = key;
    this.tier = tier;
    this.knownKey = knownKey;
    this.knownUser = knownUser;
  }

  /** A client of which nothing is known. */
  public static Client unknown() {
    return UNKNOWN;
  }

  /** A client at that address; IPv6 clients with equal first {@code ipv6Prefix} bits are one. */
  public static Client at(Address address, int ipv6Prefix) {
    return new Client(address, ipv6Prefix, null, null, null, null, null);
  }

  /**
   * The client with that {@link #id}.
   *
   * @throws MalformedRequestException if there can be none
   */
  public static Client parse(String id, int ipv6Prefix) {
    String name = id.substring(id.indexOf(':') + 1);
    Address address = id.startsWith("ip:") ? Address.parseOrNull(withoutPrefix(name)) : null;
    if (address != null) {
      return at(address, ipv6Prefix);
    }
    if (!name.isEmpty() && name.length() <= MAX_LENGTH) {
      if (id.startsWith("user:")) {
        return UNKNOWN.withUser(name);
      }
      if (id.startsWith("key:")) {
        return UNKNOWN.withKey(name);
      }
    }
    throw new MalformedRequestException(
        "client", "must be user:<id>, key:<id> or ip:<address>, at most 255 characters of id");
  }

  /** IPv6 clients are shown with the length of their prefix. */
  private static String withoutPrefix(String address) {
    int slash = address.indexOf('/');
    return slash < 0 ? address : address.substring(0, slash);
  }

  /** The same client with a user. */
  public Client withUser(String user) {
    return with(checked("user", user), key, tier, knownKey, null);
  }

  /** The same client with a user and limits of the user's own, but not the user's tier. */
  public Client withUser(Users.User user) {
    return with(checked("user", user.id()), key, tier, knownKey, user);
  }

  /**
   * The same client with the id of an API key.
   *
   * @throws MalformedRequestException if it is the key itself, which is never stored or shown
   */
  public Client withKey(String key) {
    return with(user, checkedKeyId(key), tier, null, knownUser);
  }

  /** The same client with an API key and the key's own limits, but not its user and tier. */
  public Client withKey(ApiKeys.ApiKey key) {
    return with(user, key.id(), tier, key, knownUser);
  }

  /** The same client in a tier. */
  public Client withTier(String tier) {
    return with(user, key, checked("tier", tier), knownKey, knownUser);
  }

  /** The same client with all of these in place of what it had. */
  Client with(
      @Nullable String user,
      @Nullable String key,
      @Nullable String tier,
      ApiKeys.@Nullable ApiKey knownKey,
      Users.@Nullable User knownUser) {
    return new Client(address, ipv6Prefix, user, key, tier, knownKey, knownUser);
  }

  private static String checkedKeyId(String id) {
    if (ApiKeyIds.isKey(id)) {
      throw new MalformedRequestException(
          "key", "must be the id of an API key, not the key itself");
    }
    return checked("key", id);
  }

  static String checked(String field, String value) {
    if (value.isEmpty() || value.length() > MAX_LENGTH) {
      throw new MalformedRequestException(
          field, "must be 1 to " + MAX_LENGTH + " characters long, got " + value.length());
    }
    if (ApiKeyIds.containsKey(value)) {
      throw new MalformedRequestException(field, "must not contain an API key");
    }
    return value;
  }

  /** Whether nothing is known that requests could be counted by. */
  public boolean isUnknown() {
    return user == null && key == null && address == null;
  }

  /** {@code user:<id>}, else {@code key:<id>}, else {@code ip:<address>}, else {@code unknown}. */
  public String id() {
    String named = userId();
    named = named == null ? keyId() : named;
    return named == null ? addressOrId() : named;
  }

  /** The address, if it is known. */
  public @Nullable Address address() {
    return address;
  }

  /** The user, if there is one. */
  public @Nullable String user() {
    return user;
  }

  /** The id of the API key, if there is one. */
  public @Nullable String key() {
    return key;
  }

  /** The tier, if it is known. */
  public @Nullable String tier() {
    return tier;
  }

  /** What is known of its API key beyond the id; null: nothing. */
  public ApiKeys.@Nullable ApiKey knownKey() {
    return knownKey;
  }

  /** What is known of its user beyond the id; null: nothing. */
  public Users.@Nullable User knownUser() {
    return knownUser;
  }

  /** The key's own limits in place of the tier's; null: it has none. */
  @Nullable Step keyLimits() {
    return knownKey == null ? null : knownKey.limits().step;
  }

  /** The user's own limits in place of the tier's; null: there are none. */
  @Nullable Step userLimits() {
    return knownUser == null ? null : knownUser.limits().step;
  }

  /** The user's monthly quota; null: there is none. */
  @Nullable Step quota() {
    return knownUser == null ? null : knownUser.limits().quota;
  }

  @Nullable String userId() {
    String id = userId;
    if (id == null && user != null) {
      id = "user:" + user;
      userId = id;
    }
    return id;
  }

  @Nullable String keyId() {
    String id = keyId;
    if (id == null && key != null) {
      id = "key:" + key;
      keyId = id;
    }
    return id;
  }

  String tierId() {
    String id = tierId;
    if (id == null) {
      id = tier == null ? NO_TIER : NO_TIER + tier;
      tierId = id;
    }
    return id;
  }

  String addressOrId() {
    if (address != null) {
      return addressId(address);
    }
    String named = userId();
    return named != null ? named : Objects.requireNonNullElse(keyId(), "unknown");
  }

  private String addressId(Address known) {
    String id = addressId;
    if (id == null) {
      Address network = known.isV4() ? known : known.masked(ipv6Prefix);
      boolean isWhole = known.isV4() || ipv6Prefix == 128;
      String text = network.textAfter("ip:");
      id = isWhole ? text : text + "/" + ipv6Prefix;
      addressId = id;
    }
    return id;
  }

  @Override
  public String toString() {
    return id() + (tier == null ? "" : " (" + tier + ")");
  }
}
