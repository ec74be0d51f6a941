package dev.weir.policy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What must hold for a rule to match: of each part that is given, one of the values. Parts that are
 * empty are not given.
 *
 * @param tiers names of tiers
 * @param endpoints names of endpoints
 * @param paths patterns of paths
 * @param methods methods in capitals; GET stands for HEAD too
 * @param ips ranges of addresses
 * @param users users
 * @param keys ids of API keys
 * @param headers values for names of header fields, the names in lower case
 */
public record Conditions(
    SortedSet<String> tiers,
    SortedSet<String> endpoints,
    List<PathPattern> paths,
    SortedSet<String> methods,
    List<Cidr> ips,
    SortedSet<String> users,
    SortedSet<String> keys,
    SortedMap<String, SortedSet<String>> headers) {

  private static final Conditions NONE =
      new Conditions(
          new TreeSet<>(),
          new TreeSet<>(),
          List.of(),
          new TreeSet<>(),
          List.of(),
          new TreeSet<>(),
          new TreeSet<>(),
          new TreeMap<>());

  public Conditions {
    tiers = Sorted.copyOf(tiers);
    endpoints = Sorted.copyOf(endpoints);
    paths = List.copyOf(paths);
    methods = Sorted.copyOf(methods);
    ips = List.copyOf(ips);
    users = Sorted.copyOf(users);
    keys = Sorted.copyOf(keys);
    headers = given(headers);
  }

  private static SortedMap<String, SortedSet<String>> given(
      Map<String, SortedSet<String>> headers) {
    SortedMap<String, SortedSet<String>> given = new TreeMap<>();
    headers.forEach(
        (name, values) -> {
          if (!values.isEmpty()) {
            given.put(name, Sorted.copyOf(values));
          }
        });
    return Sorted.copyOf(given);
  }

  /** Conditions that always hold. */
  public static Conditions none() {
    return NONE;
  }

  static Conditions ofTier(String tier) {
    return new Conditions(
        new TreeSet<>(Set.of(tier)),
        NONE.endpoints,
        NONE.paths,
        NONE.methods,
        NONE.ips,
        NONE.users,
        NONE.keys,
        NONE.headers);
  }

  static Conditions ofEndpoint(String endpoint) {
    return new Conditions(
        NONE.tiers,
        new TreeSet<>(Set.of(endpoint)),
        NONE.paths,
        NONE.methods,
        NONE.ips,
        NONE.users,
        NONE.keys,
        NONE.headers);
  }

  Conditions withPath(PathPattern path) {
    return new Conditions(tiers, endpoints, List.of(path), methods, ips, users, keys, headers);
  }

  /** The first part that does not hold for the request, in words; empty if all of them hold. */
  String firstFailing(Request request, String endpoint, @Nullable String tier) {
    if (!holdsTier(tier)) {
      return "tier must be " + anyOf(tiers) + ", got " + orNone(tier);
    }
    if (!holdsEndpoint(endpoint)) {
      return "endpoint must be " + anyOf(endpoints) + ", got " + endpoint;
    }
    if (!holdsMethod(request)) {
      return "method must be " + anyOf(methods) + ", got " + request.method();
    }
    if (!holdsPath(request)) {
      return "path must match " + anyOf(paths) + ", got " + request.path();
    }
    return firstFailingOfClient(request);
  }

  private String firstFailingOfClient(Request request) {
    Client client = request.client();
    if (!holdsUser(client)) {
      return "user must be " + anyOf(users) + ", got " + orNone(client.user());
    }
    if (!holdsKey(client)) {
      return "key must be " + anyOf(keys) + ", got " + orNone(client.key());
    }
    if (!holdsIp(client)) {
      Address address = client.address();
      return "ip must be in " + anyOf(ips) + ", got " + (address == null ? "none" : address);
    }
    for (Map.Entry<String, SortedSet<String>> header : headers.entrySet()) {
      if (!holdsHeader(header, request)) {
        return "header " + header.getKey() + " must be " + anyOf(header.getValue());
      }
    }
    return "";
  }

  /** Whether all parts hold. */
  boolean hold(Request request, String endpoint, @Nullable String tier) {
    Client client = request.client();
    return holdsTier(tier)
        && holdsEndpoint(endpoint)
        && holdsMethod(request)
        && holdsUser(client)
        && holdsKey(client)
        && holdsPath(request)
        && holdsIp(client)
        && holdHeaders(request);
  }

  private boolean holdsTier(@Nullable String tier) {
    return tiers.isEmpty() || (tier != null && tiers.contains(tier));
  }

  private boolean holdsEndpoint(String endpoint) {
    return endpoints.isEmpty() || endpoints.contains(endpoint);
  }

  private boolean holdsMethod(Request request) {
    return methods.isEmpty() || methods.contains(request.method());
  }

  private boolean holdsUser(Client client) {
    String user = users.isEmpty() ? null : client.user();
    return users.isEmpty() || (user != null && users.contains(user));
  }

  private boolean holdsKey(Client client) {
    String key = keys.isEmpty() ? null : client.key();
    return keys.isEmpty() || (key != null && keys.contains(key));
  }

  private boolean holdsPath(Request request) {
    for (int i = 0; i < paths.size(); i++) {
      if (paths.get(i).matches(request.path())) {
        return true;
      }
    }
    return paths.isEmpty();
  }

  private boolean holdsIp(Client client) {
    Address address = client.address();
    for (int i = 0; i < ips.size() && address != null; i++) {
      if (ips.get(i).contains(address)) {
        return true;
      }
    }
    return ips.isEmpty();
  }

  private boolean holdHeaders(Request request) {
    if (headers.isEmpty()) {
      return true;
    }
    for (Map.Entry<String, SortedSet<String>> header : headers.entrySet()) {
      if (!holdsHeader(header, request)) {
        return false;
      }
    }
    return true;
  }

  private static boolean holdsHeader(Map.Entry<String, SortedSet<String>> header, Request request) {
    for (String value : request.headers().values(header.getKey())) {
      if (header.getValue().contains(value)) {
        return true;
      }
    }
    return false;
  }

  private static String anyOf(Iterable<?> values) {
    StringBuilder text = new StringBuilder();
    for (Object value : values) {
      text.append(text.length() == 0 ? "" : " or ").append(value);
    }
    return text.toString();
  }

  private static String orNone(@Nullable String value) {
    return value == null ? "none" : value;
  }
}
