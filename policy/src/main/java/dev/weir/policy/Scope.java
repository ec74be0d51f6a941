package dev.weir.policy;

import org.jspecify.annotations.Nullable;

/** What a counter is kept for. */
public enum Scope {
  /** Each client: its user, else its key, else its address. */
  CLIENT("client"),
  /** Each user; each address for clients without one. */
  USER("user"),
  /** Each API key; each address for clients without one. */
  KEY("key"),
  /** Each address. */
  IP("ip"),
  /** Each tier; all clients without one together. */
  TIER("tier"),
  /** All clients together. */
  GLOBAL("global");

  private final String text;

  Scope(String text) {
    this.text = text;
  }

  /** The key of the counter that the client has in this scope. */
  String keyOf(Client client, @Nullable String tier) {
    return switch (this) {
      case CLIENT -> client.id();
      case USER -> client.userId() != null ? client.userId() : client.addressOrId();
      case KEY -> client.keyId() != null ? client.keyId() : client.addressOrId();
      case IP -> client.addressOrId();
      case TIER ->
          tier == null ? "tier:" : tier.equals(client.tier()) ? client.tierId() : "tier:" + tier;
      case GLOBAL -> "global";
    };
  }

  @Override
  public String toString() {
    return text;
  }
}
