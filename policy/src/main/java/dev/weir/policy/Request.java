package dev.weir.policy;

import java.util.Locale;
import java.util.Objects;

/**
 * What is asked for, and by whom.
 *
 * @param method in capitals; HEAD is held as GET, since it costs as much
 * @param path in its canonical form, without the secrets of API keys
 * @param client who asks
 * @param cost how much it consumes; 0 looks without consuming
 * @param headers what rules may look at
 */
public record Request(String method, String path, Client client, long cost, Headers headers) {
  private static final int LONGEST_METHOD = 64;

  public Request {
    Objects.requireNonNull(client, "client");
    Objects.requireNonNull(headers, "headers");
    method = canonicalMethod(method);
    path = ApiKeyIds.redact(RequestPath.canonical(path));
    if (cost < 0) {
      throw new MalformedRequestException("cost", "must be at least 0, got " + cost);
    }
  }

  /** A request of cost 1 without header fields. */
  public static Request of(String method, String path, Client client) {
    return new Request(method, path, client, 1, Headers.none());
  }

  /** The same request with another cost. */
  public Request withCost(long cost) {
    return new Request(method, path, client, cost, headers);
  }

  /** The same request of another client, or of one of whom more is known. */
  public Request withClient(Client client) {
    return new Request(method, path, client, cost, headers);
  }

  private static String canonicalMethod(String method) {
    if (method.equals("GET") || method.equals("HEAD")) {
      return "GET";
    }
    if (method.isEmpty() || method.length() > LONGEST_METHOD) {
      throw new MalformedRequestException(
          "method", "must be 1 to " + LONGEST_METHOD + " characters long, got " + method.length());
    }
    for (int i = 0; i < method.length(); i++) {
      char c = method.charAt(i);
      if (c <= ' ' || c >= 0x7f) {
        throw new MalformedRequestException("method", "must be a word, for example GET");
      }
    }
    String capitals = method.toUpperCase(Locale.ROOT);
    return capitals.equals("HEAD") ? "GET" : capitals;
  }
}
