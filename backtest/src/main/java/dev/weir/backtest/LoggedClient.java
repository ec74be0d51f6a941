package dev.weir.backtest;

import dev.weir.policy.Address;
import dev.weir.policy.Client;
import org.jspecify.annotations.Nullable;

/** Clients as logs name them. What is empty or a dash is not known. */
final class LoggedClient {
  private final int ipv6Prefix;

  LoggedClient(int ipv6Prefix) {
    this.ipv6Prefix = ipv6Prefix;
  }

  /**
   * The client with those facts.
   *
   * @throws BadLine if the address is none
   */
  Client of(@Nullable String ip, @Nullable String user, @Nullable String key, @Nullable String tier)
      throws BadLine {
    String knownIp = known(ip);
    // nginx writes "unix:" for those that come by a socket of the machine.
    Client client =
        knownIp == null || knownIp.equals("unix:")
            ? Client.unknown()
            : Client.at(address(knownIp), ipv6Prefix);
    String knownUser = known(user);
    client = knownUser == null ? client : client.withUser(knownUser);
    String knownKey = known(key);
    client = knownKey == null ? client : client.withKey(knownKey);
    String knownTier = known(tier);
    return knownTier == null ? client : client.withTier(knownTier);
  }

  private static @Nullable String known(@Nullable String text) {
    return text == null || text.isEmpty() || text.equals("-") ? null : text;
  }

  private static Address address(String text) throws BadLine {
    Address address = Address.parseOrNull(text);
    if (address == null) {
      address = Address.parseOrNull(withoutPort(text));
    }
    if (address == null) {
      throw new BadLine(
          "\"%s\" is no address, for example 203.0.113.7 or 2001:db8::1"
              .formatted(BadLine.shown(text)));
    }
    return address;
  }

  /** Some servers write {@code 203.0.113.7:52814} and {@code [2001:db8::1]:52814}. */
  private static String withoutPort(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? text : text.substring(0, colon);
    boolean isBracketed = host.length() > 2 && host.startsWith("[") && host.endsWith("]");
    return isBracketed ? host.substring(1, host.length() - 1) : host;
  }
}
