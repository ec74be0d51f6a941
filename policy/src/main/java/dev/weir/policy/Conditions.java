package dev.weir.policy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
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
 * @param headers values for names of header fields, the names in lower case; byte for byte, but for
 *     {@code host}, of which all spellings of a host are one
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

  static final String TIER = "tier";
  static final String ENDPOINT = "endpoint";
  static final String METHOD = "method";
  static final String USER = "user";
  static final String KEY = "key";
  static final String PATH = "path";
  static final String IP = "ip";

  /** Comes before the name of a field. */
  static final String HEADER = "header.";

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
            SortedSet<String> compared = new TreeSet<>();
            values.forEach(value -> compared.add(compared(name, value)));
            given.put(name, Sorted.copyOf(compared));
          }
        });
    return Sorted.copyOf(given);
  }

  /** The form in which values of a header field are compared. */
  static String compared(String field, String value) {
    return field.equals(HostName.FIELD) ? HostName.canonical(value) : value;
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
      if (!holdsHeader(header.getKey(), header.getValue(), request)) {
        return "header " + header.getKey() + " must be " + anyOf(header.getValue());
      }
    }
    return "";
  }

  /** One part that is given. */
  interface Part {
    boolean holds(Request request, String endpoint, @Nullable String tier);
  }

  /**
   * The parts that are given, but for one that is known to hold.
   *
   * @param known the name of that part, as in {@link #valuesByPart}
   */
  Part[] partsBut(String known) {
    List<Part> parts = new ArrayList<>();
    for (String name : valuesByPart().keySet()) {
      if (!name.equals(known)) {
        parts.add(part(name));
      }
    }
    return parts.toArray(Part[]::new);
  }

  private Part part(String name) {
    return switch (name) {
      case TIER -> (request, endpoint, tier) -> holdsTier(tier);
      case ENDPOINT -> (request, endpoint, tier) -> holdsEndpoint(endpoint);
      case METHOD -> (request, endpoint, tier) -> holdsMethod(request);
      case USER -> (request, endpoint, tier) -> holdsUser(request.client());
      case KEY -> (request, endpoint, tier) -> holdsKey(request.client());
      case PATH -> (request, endpoint, tier) -> holdsPath(request);
      case IP -> (request, endpoint, tier) -> holdsIp(request.client());
      default -> {
        String field = name.substring(HEADER.length());
        SortedSet<String> wanted = headers.getOrDefault(field, Collections.emptySortedSet());
        yield (request, endpoint, tier) -> holdsHeader(field, wanted, request);
      }
    };
  }

  /** The values of each part that is given, by its name. */
  Map<String, Collection<?>> valuesByPart() {
    Map<String, Collection<?>> values = new LinkedHashMap<>();
    putGiven(values, USER, users);
    putGiven(values, KEY, keys);
    putGiven(values, PATH, paths);
    headers.forEach((name, wanted) -> putGiven(values, HEADER + name, wanted));
    putGiven(values, IP, ips);
    putGiven(values, ENDPOINT, endpoints);
    putGiven(values, TIER, tiers);
    putGiven(values, METHOD, methods);
    return values;
  }

  private static void putGiven(
      Map<String, Collection<?>> values, String part, Collection<?> wanted) {
    if (!wanted.isEmpty()) {
      values.put(part, wanted);
    }
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

  private static boolean holdsHeader(String field, SortedSet<String> wanted, Request request) {
    List<String> values = request.headers().values(field);
    for (int i = 0; i < values.size(); i++) {
      if (wanted.contains(compared(field, values.get(i)))) {
        return true;
      }
    }
    return false;
  }

  /** All that must hold, such as {@code path /api/**, method GET or POST}; empty if nothing. */
  String inWords() {
    StringBuilder text = new StringBuilder();
    valuesByPart()
        .forEach(
            (part, values) ->
                text.append(text.length() == 0 ? "" : ", ")
                    .append(part)
                    .append(' ')
                    .append(anyOf(values)));
    return text.toString();
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
