package dev.weir.policy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A client on a {@link ClientList}.
 *
 * @param client {@code user:<id>}, {@code key:<id>}, or {@code ip:} with an address or a range
 * @param reason why it is there, for those who operate the service
 * @param until when that ends; null: never
 */
public record ListedClient(String client, String reason, @Nullable Instant until) {
  public ListedClient {
    boolean isKnown =
        client.startsWith("user:") || client.startsWith("key:") || client.startsWith("ip:");
    if (ApiKeyIds.isKey(client)
        || (client.startsWith("key:") && ApiKeyIds.isKey(client.substring(4)))) {
      throw new IllegalArgumentException(
          "client must name an API key by its id, not by the key itself");
    }
    if (!isKnown || client.indexOf(':') == client.length() - 1) {
      throw new IllegalArgumentException(
          "client must be user:<id>, key:<id> or ip:<address or range>, got \"" + client + "\"");
    }
    int length = client.length() - client.indexOf(':') - 1;
    if (!client.startsWith("ip:") && length > Client.MAX_LENGTH) {
      throw new IllegalArgumentException(
          "client must have an id of at most %d characters, got %d"
              .formatted(Client.MAX_LENGTH, length));
    }
    if (client.startsWith("ip:")) {
      client = "ip:" + Cidr.parse(client.substring("ip:".length()));
    }
  }

  boolean holdsAt(Instant now) {
    return until == null || now.isBefore(until);
  }
}
