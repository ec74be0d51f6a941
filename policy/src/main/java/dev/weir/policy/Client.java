package dev.weir.policy;

import dev.weir.Limit;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who asks: an address, and what is known beyond it. Immutable. Only what was verified belongs
 * here; see the {@code http} module for how it is found out.
 */
public final class Client {
  /** The longest user or key. */
  public static final int MAX_LENGTH = 255;

  private static final Client UNKNOWN = new Client(null, null, null, null, null, List.of());
  private static final String NO_TIER = "tier:";

  private final @Nullable Address address;
  private final @Nullable String addressId;
  private final @Nullable String user;
  private final @Nullable String userId;
  private final @Nullable String key;
  private final @Nullable String keyId;
  private final @Nullable String tier;
  private final String tierId;
  private final List<Limit> limits;

  private Client(
      @Nullable Address address,
      @Nullable String addressId,
      @Nullable String user,
      @Nullable String key,
      @Nullable String tier,
      List<Limit> limits) {
    this.address = address;
    this.addressId = addressId;
    this.user = user;
    this.userId = user == null ? null : "user:" + user;
    this.key = key;
    this.keyId = key == null ? null : "key:" + key;
    this.tier = tier;
    this.tierId = tier == null ? NO_TIER : NO_TIER + tier;
    this.limits = limits;
  }

  /** A client of which nothing is known. */
  public static Client unknown() {
    return UNKNOWN;
  }

  /** A client at that address; IPv6 clients with equal first {@code ipv6Prefix} bits are one. */
  public static Client at(Address address, int ipv6Prefix) {
    Address network = address.isV4() ? address : address.masked(ipv6Prefix);
    boolean isWhole = address.isV4() || ipv6Prefix == 128;
    String id = isWhole ? "ip:" + network : "ip:" + network + "/" + ipv6Prefix;
    return new Client(address, id, null, null, null, List.of());
  }

  /** The same client with a user. */
  public Client withUser(String user) {
    return new Client(address, addressId, checked("user", user), key, tier, limits);
  }

  /** The same client with the id of an API key, which is not the key itself. */
  public Client withKey(String key) {
    return new Client(address, addressId, user, checked("key", key), tier, limits);
  }

  /** The same client in a tier. */
  public Client withTier(String tier) {
    return new Client(address, addressId, user, key, checked("tier", tier), limits);
  }

  /** The same client with limits of its own, which hold in place of its tier's. */
  public Client withLimits(List<Limit> limits) {
    return new Client(address, addressId, user, key, tier, List.copyOf(limits));
  }

  private static String checked(String field, String value) {
    if (value.isEmpty() || value.length() > MAX_LENGTH) {
      throw new MalformedRequestException(
          field, "must be 1 to " + MAX_LENGTH + " characters long, got " + value.length());
    }
    return value;
  }

  /** Whether nothing is known that requests could be counted by. */
  public boolean isUnknown() {
    return userId == null && keyId == null && addressId == null;
  }

  /** {@code user:<id>}, else {@code key:<id>}, else {@code ip:<address>}, else {@code unknown}. */
  public String id() {
    return userId != null ? userId : keyId != null ? keyId : addressOrId();
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

  /** Limits of its own; usually none. */
  public List<Limit> limits() {
    return limits;
  }

  @Nullable String userId() {
    return userId;
  }

  @Nullable String keyId() {
    return keyId;
  }

  String tierId() {
    return tierId;
  }

  String addressOrId() {
    if (addressId != null) {
      return addressId;
    }
    return userId != null ? userId : Objects.requireNonNullElse(keyId, "unknown");
  }

  @Override
  public String toString() {
    return id() + (tier == null ? "" : " (" + tier + ")");
  }
}
