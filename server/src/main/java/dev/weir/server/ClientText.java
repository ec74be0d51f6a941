package dev.weir.server;

import dev.weir.policy.Address;
import dev.weir.policy.Client;
import dev.weir.policy.MalformedRequestException;

/** Reads who is meant from {@code user:<id>}, {@code key:<id>} or {@code ip:<address>}. */
final class ClientText {
  private ClientText() {}

  static Client parse(String text, int ipv6Prefix) {
    int colon = text.indexOf(':');
    String id = text.substring(colon + 1);
    Address address = text.startsWith("ip:") ? Address.parseOrNull(withoutPrefix(id)) : null;
    if (address != null) {
      return Client.at(address, ipv6Prefix);
    }
    if (!id.isEmpty() && id.length() <= Client.MAX_LENGTH) {
      if (text.startsWith("user:")) {
        return Client.unknown().withUser(id);
      }
      if (text.startsWith("key:")) {
        return Client.unknown().withKey(id);
      }
    }
    throw new MalformedRequestException(
        "client", "must be user:<id>, key:<id> or ip:<address>, at most 255 characters of id");
  }

  /** IPv6 clients are shown with the length of their prefix. */
  private static String withoutPrefix(String id) {
    int slash = id.indexOf('/');
    return slash < 0 ? id : id.substring(0, slash);
  }
}
