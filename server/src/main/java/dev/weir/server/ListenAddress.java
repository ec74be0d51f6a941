package dev.weir.server;

import dev.weir.policy.Address;
import dev.weir.policy.Cidr;
import dev.weir.policy.config.ServerSettings;
import org.jspecify.annotations.Nullable;

/**
 * Where the service listens.
 *
 * @param host a name or an address, without brackets
 * @param port 0: any that is free
 */
record ListenAddress(String host, int port) {
  private static final Cidr LOOPBACK_V4 = Cidr.parse("127.0.0.0/8");
  private static final Cidr LOOPBACK_V6 = Cidr.parse("::1/128");

  /**
   * The configured address, perhaps with another port.
   *
   * @throws StartException if strangers could reach the admin API there
   */
  static ListenAddress of(ServerSettings settings, @Nullable Integer port) {
    int colon = settings.listen().lastIndexOf(':');
    String host = settings.listen().substring(0, colon);
    ListenAddress address =
        new ListenAddress(
            host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
            port == null ? Integer.parseInt(settings.listen().substring(colon + 1)) : port);
    if (!isLoopback(address.host) && settings.adminToken().isEmpty()) {
      throw new StartException(
          "server.listen: %s is reached from outside, so server.admin_token must be set, best by the variable RATE_LIMIT_SERVER_ADMIN_TOKEN"
              .formatted(settings.listen()));
    }
    return address;
  }

  /** Whether it can only mean this machine; no name is looked up. */
  static boolean isLoopback(String host) {
    Address address = Address.parseOrNull(host);
    return address == null
        ? host.equalsIgnoreCase("localhost")
        : LOOPBACK_V4.contains(address) || LOOPBACK_V6.contains(address);
  }

  /** As it stands in a URL, with the port that it has come to be. */
  String url(int actualPort) {
    return "http://" + (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + actualPort;
  }
}
