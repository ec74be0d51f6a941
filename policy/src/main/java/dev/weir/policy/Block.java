package dev.weir.policy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A client that nothing is allowed to.
 *
 * @param client {@code user:<id>}, {@code key:<id>}, or {@code ip:} with an address or a range
 * @param reason why, for those who operate the service
 * @param until when it ends; null: never
 */
public record Block(String client, String reason, @Nullable Instant until) {
  public Block {
    boolean isKnown =
        client.startsWith("user:") || client.startsWith("key:") || client.startsWith("ip:");
    if (!isKnown || client.indexOf(':') == client.length() - 1) {
      throw new IllegalArgumentException(
          "client must be user:<id>, key:<id> or ip:<address or range>, got \"" + client + "\"");
    }
    if (client.startsWith("ip:")) {
      client = "ip:" + Cidr.parse(client.substring("ip:".length()));
    }
  }

  boolean holdsAt(Instant now) {
    return until == null || now.isBefore(until);
  }
}
