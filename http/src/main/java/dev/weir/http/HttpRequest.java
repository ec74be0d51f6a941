package dev.weir.http;

import dev.weir.policy.Headers;
import org.jspecify.annotations.Nullable;

/**
 * A request as a transport sees it, before anything is believed.
 *
 * @param method the method
 * @param target the request target: a path, perhaps with a query, or a whole URL
 * @param peer the address that the connection comes from; null if there is none
 * @param headers the header fields
 * @param cost what it is to consume
 */
public record HttpRequest(
    String method, String target, @Nullable String peer, Headers headers, long cost) {

  /** A request of cost 1. */
  public HttpRequest(String method, String target, @Nullable String peer, Headers headers) {
    this(method, target, peer, headers, 1);
  }
}
