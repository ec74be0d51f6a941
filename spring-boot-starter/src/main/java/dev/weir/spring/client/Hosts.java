package dev.weir.spring.client;

import java.net.URI;
import java.util.Locale;

/** Whom a request is for. */
final class Hosts {
  private Hosts() {}

  /** The host with its port, where one is given. */
  static String of(URI target) {
    String host = target.getHost() == null ? "" : target.getHost().toLowerCase(Locale.ROOT);
    return target.getPort() < 0 ? host : host + ":" + target.getPort();
  }
}
